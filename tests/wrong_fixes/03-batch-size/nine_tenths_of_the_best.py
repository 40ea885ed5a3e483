"""The first batch with nine tenths of the highest throughput: nine times the knee."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 0
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    ceiling = max(samples_per_second)
    return next(b for b, rate in zip(batches, samples_per_second) if rate >= 0.9 * ceiling)
"""
