"""No graph, and the host still reads loss and accuracy of every forward pass."""

EXERCISE = "validation"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 8
CELL = """
@torch.no_grad()
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss = correct = samples = 0
    for start in range(0, len(batches), 4):
        x, y = (torch.cat(tensors) for tensors in zip(*batches[start : start + 4]))
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum").item()
        correct += (output.argmax(1) == y).sum().item()
        samples += len(y)
    for module, training in modes:
        module.training = training
    return loss / samples, correct / samples
"""
