"""Never gives a knee: right for the curves that still rise, useless for all others."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 0
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    return None
"""
