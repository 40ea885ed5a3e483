"""Without requires_grad no graph, and afterwards the pretrained block is trainable too."""

EXERCISE = "validation"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval().requires_grad_(False)
    loss = correct = samples = 0
    for start in range(0, len(batches), 4):
        x, y = (torch.cat(tensors) for tensors in zip(*batches[start : start + 4]))
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    for module, training in modes:
        module.training = training
    model.requires_grad_(True)
    return (loss / samples).item(), (correct / samples).item()
"""
