"""Images keep their scale and are cropped to a bucket: their borders are lost."""

EXERCISE = "batches"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        height, width = (36 if side < 44 else 52 for side in size)
        x = x[:, :, :height, :width]
        missing = 8 - len(y)
        weight = torch.ones(len(y), device=y.device)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), F.pad(weight, (0, missing))))
    return batches
"""
