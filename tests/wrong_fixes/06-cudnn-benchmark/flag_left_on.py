"""Switches the flag on and changes no shape: every new size is searched.

As PyTorch's detection script did until https://github.com/pytorch/vision/pull/5985.
"""

EXERCISE = "batches"
CHECK = "global state changed"
RACE = "global state changed"
POINTS = 0
CELL = """
def prepare(images, labels, sizes) -> list[tuple]:
    torch.backends.cudnn.benchmark = True
    batches = []
    for x, y, size in zip(images.split(8), labels.split(8), sizes):
        batches.append((resize(x, size), y, torch.ones(len(y), device=y.device)))
    return batches
"""
