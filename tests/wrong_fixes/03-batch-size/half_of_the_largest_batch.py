"""Half of the largest batch, to be on the safe side of memory: nobody looked at the curve."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 0
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    return batches[-1] / 2
"""
