"""The largest batch that was measured, whatever the curve says."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 0
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    return batches[-1]
"""
