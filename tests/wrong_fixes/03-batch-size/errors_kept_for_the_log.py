"""Keeps the exceptions for a log, and with them all that the failed steps had allocated."""

EXERCISE = "probe"
CHECK = ("too few", "too many")
POINTS = 0
CELL = """
errors = []


def largest_batch(try_batch, most: int) -> int:
    fits, too_large = 1, most + 1
    while too_large - fits > 1:
        batch = (fits + too_large) // 2
        peak = math.inf
        try:
            peak = try_batch(batch)
        except torch.OutOfMemoryError as error:
            errors.append(error)
        if peak <= 0.9:
            fits = batch
        else:
            too_large = batch
    return fits
"""
