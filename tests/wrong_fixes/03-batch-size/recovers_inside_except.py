"""Tries again inside of `except`, where the exception still holds the failed step's tensors
(https://github.com/pytorch/pytorch/issues/18853).
"""

EXERCISE = "probe"
CHECK = "too few"
POINTS = 0
CELL = """
def largest_batch(try_batch, most: int) -> int:
    try:
        try_batch(most)
    except torch.OutOfMemoryError:
        return largest_batch(try_batch, most // 2)
    return most
"""
