"""The last batch is filled up with images of the first one, which then count twice."""

EXERCISE = "batches"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    images, labels = torch.cat([images, images[:4]]), torch.cat([labels, labels[:4]])
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        x = resize(x, [36 if side < 44 else 52 for side in size])
        batches.append((x, y, torch.ones(len(y), device=y.device)))
    return batches
"""
