"""Four buckets for each side: together they make sixteen sizes."""

EXERCISE = "batches"
CHECK = "too many"
RACE = ("not measurable here", "short of the goal", "slower", "passed")
POINTS = 6
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        x = resize(x, [(side - 28) // 8 * 8 + 32 for side in size])
        missing = 8 - len(y)
        weight = torch.ones(len(y), device=y.device)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), F.pad(weight, (0, missing))))
    return batches
"""
