"""Catches Python's MemoryError, which a device never raises."""

EXERCISE = "probe"
CHECK = "error"
POINTS = 0
CELL = """
def largest_batch(try_batch, most: int) -> int:
    fits, too_large = 1, most + 1
    while too_large - fits > 1:
        batch = (fits + too_large) // 2
        try:
            peak = try_batch(batch)
        except MemoryError:
            peak = math.inf
        if peak <= 0.9:
            fits = batch
        else:
            too_large = batch
    return fits
"""
