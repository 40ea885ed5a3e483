"""The first doubling that does not quite double the throughput: far left of the knee."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 0
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    pairs = zip(batches, samples_per_second, samples_per_second[1:])
    return next((batch for batch, now, twice in pairs if twice < 1.9 * now), None)
"""
