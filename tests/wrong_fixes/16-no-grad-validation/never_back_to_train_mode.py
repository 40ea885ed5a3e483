"""Leaves the model in eval mode (https://github.com/fartashf/vsepp/issues/4)."""

EXERCISE = "validation"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 8
CELL = """
@torch.no_grad()
def validate(model, batches) -> tuple:
    model.eval()
    loss = correct = samples = 0
    for start in range(0, len(batches), 4):
        x, y = (torch.cat(tensors) for tensors in zip(*batches[start : start + 4]))
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    return (loss / samples).item(), (correct / samples).item()
"""
