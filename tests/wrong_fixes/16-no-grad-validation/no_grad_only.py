"""no_grad without eval() (https://github.com/ugent-korea/pytorch-unet-segmentation/issues/18)."""

EXERCISE = "validation"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def validate(model, batches) -> tuple:
    loss = correct = samples = 0
    for start in range(0, len(batches), 4):
        x, y = (torch.cat(tensors) for tensors in zip(*batches[start : start + 4]))
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    return (loss / samples).item(), (correct / samples).item()
"""
