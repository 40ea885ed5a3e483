"""The rows of zeros that fill up the last batch have weight 1: they are learnt from."""

EXERCISE = "batches"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        x = resize(x, [36 if side < 44 else 52 for side in size])
        missing = 8 - len(y)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), torch.ones(8, device=y.device)))
    return batches
"""
