"""Leaves headroom, and gets there one sample at a time: hundreds of steps."""

EXERCISE = "probe"
CHECK = "too many"
POINTS = 1
CELL = """
def largest_batch(try_batch, most: int) -> int:
    batch = 1
    while batch < most and try_batch(batch + 1) <= 0.9:
        batch += 1
    return batch
"""
