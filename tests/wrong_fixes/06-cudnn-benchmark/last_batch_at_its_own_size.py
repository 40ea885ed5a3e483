"""Few image sizes, but the last batch of 4 is a shape of its own, in each of them.

A batch that does not divide the data slowed training down 2.6 times in
https://github.com/davisking/dlib/issues/471.
"""

EXERCISE = "batches"
CHECK = "too many"
RACE = ("not measurable here", "short of the goal", "slower", "passed")
POINTS = 6
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        x = resize(x, [36 if side < 44 else 52 for side in size])
        batches.append((x, y, torch.ones(len(y), device=y.device)))
    return batches
"""
