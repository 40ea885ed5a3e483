"""Switches grad mode off for good: the next training step has nothing to go back through."""

EXERCISE = "validation"
CHECK = "global state changed"
RACE = "global state changed"
POINTS = 0
CELL = """
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    torch.set_grad_enabled(False)
    loss = correct = samples = 0
    for start in range(0, len(batches), 4):
        x, y = (torch.cat(tensors) for tensors in zip(*batches[start : start + 4]))
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    for module, training in modes:
        module.training = training
    return (loss / samples).item(), (correct / samples).item()
"""
