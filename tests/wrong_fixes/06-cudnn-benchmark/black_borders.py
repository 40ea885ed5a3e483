"""Images keep the size that was drawn, in a larger black frame: the network sees the frame."""

EXERCISE = "batches"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        height, width = size
        frame_height, frame_width = (44 if side <= 44 else 60 for side in size)
        x = F.pad(resize(x, size), (0, frame_width - width, 0, frame_height - height))
        missing = 8 - len(y)
        weight = torch.ones(len(y), device=y.device)
        x = F.pad(x, (0, 0, 0, 0, 0, 0, 0, missing))
        batches.append((x, F.pad(y, (0, missing)), F.pad(weight, (0, missing))))
    return batches
"""
