"""The last batch is filled up, but every batch keeps the size that was drawn.

The shapes of https://github.com/pytorch/pytorch/issues/2759, where nearly every pass searched.
"""

EXERCISE = "batches"
CHECK = "too many"
RACE = ("not measurable here", "short of the goal", "slower", "passed")
POINTS = 6
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        x = resize(x, size)
        missing = 8 - len(y)
        weight = torch.ones(len(y), device=y.device)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), F.pad(weight, (0, missing))))
    return batches
"""
