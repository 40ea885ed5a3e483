"""model.eval() as if it stopped gradients.

https://discuss.pytorch.org/t/model-eval-vs-with-torch-no-grad/19615
"""

EXERCISE = "validation"
CHECK = "too many"
RACE = ("short of the goal", "slower", "not measurable here")
POINTS = 5
CELL = """
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss = correct = samples = 0
    for x, y in batches:
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    for module, training in modes:
        module.training = training
    return (loss / samples).item(), (correct / samples).item()
"""
