"""A batch that fitted on somebody's GPU."""

EXERCISE = "probe"
CHECK = "too few"
POINTS = 0
CELL = """
def largest_batch(try_batch, most: int) -> int:
    return 64
"""
