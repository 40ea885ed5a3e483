"""drop_last by hand: 4 of the 60 images are never seen."""

EXERCISE = "batches"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        if len(y) < 8:
            break
        x = resize(x, [36 if side < 44 else 52 for side in size])
        batches.append((x, y, torch.ones(len(y), device=y.device)))
    return batches
"""
