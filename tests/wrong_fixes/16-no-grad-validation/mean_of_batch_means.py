"""Three samples weigh as much as eight (https://github.com/catalyst-team/catalyst/issues/799)."""

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
    for x, y in batches:
        output = model(x)
        loss += F.cross_entropy(output, y)
        correct += (output.argmax(1) == y).float().mean()
        samples += 1
    for module, training in modes:
        module.training = training
    return (loss / samples).item(), (correct / samples).item()
"""
