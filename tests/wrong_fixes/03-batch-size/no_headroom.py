"""Finds exactly what fits, and leaves nothing free."""

EXERCISE = "probe"
CHECK = "too many"
POINTS = 1
CELL = """
def largest_batch(try_batch, most: int) -> int:
    fits, too_large = 1, most + 1
    while too_large - fits > 1:
        batch = (fits + too_large) // 2
        try:
            try_batch(batch)
            fits = batch
        except torch.OutOfMemoryError:
            too_large = batch
    return fits
"""
