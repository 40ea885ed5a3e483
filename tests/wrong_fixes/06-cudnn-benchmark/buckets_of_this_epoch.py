"""Buckets at the quartiles of the sides that were drawn: other shapes in the next epoch."""

EXERCISE = "batches"
CHECK = "too many"
RACE = ("not measurable here", "short of the goal", "slower", "passed")
POINTS = 6
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    buckets = []
    for sides in zip(*sizes):
        ordered = sorted(sides)
        small, large = sum(ordered[1:3]) // 2, sum(ordered[5:7]) // 2
        buckets.append([small if side < ordered[4] else large for side in sides])
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), zip(*buckets)):
        x = resize(x, size)
        missing = 8 - len(y)
        weight = torch.ones(len(y), device=y.device)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), F.pad(weight, (0, missing))))
    return batches
"""
