"""Buckets, and deterministic=True against the searching: left on for all that runs later."""

EXERCISE = "batches"
CHECK = "global state changed"
RACE = "global state changed"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    torch.backends.cudnn.deterministic = True
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        x = resize(x, [36 if side < 44 else 52 for side in size])
        missing = 8 - len(y)
        weight = torch.ones(len(y), device=y.device)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), F.pad(weight, (0, missing))))
    return batches
"""
