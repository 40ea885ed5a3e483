"""Halves until a step fits, and stops there: up to half of the memory stays unused."""

EXERCISE = "probe"
CHECK = "too few"
POINTS = 0
CELL = """
def largest_batch(try_batch, most: int) -> int:
    batch = most
    while batch > 1:
        try:
            try_batch(batch)
            break
        except torch.OutOfMemoryError:
            batch //= 2
    return batch
"""
