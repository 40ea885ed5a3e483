"""Validates on half of the set."""

EXERCISE = "validation"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss = correct = samples = 0
    for x, y in batches[::2]:
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    for module, training in modes:
        module.training = training
    return (loss / samples).item(), (correct / samples).item()
"""
