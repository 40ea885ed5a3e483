"""Half of the highest measurement, also where the curve still rises: a knee that is not there."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 1.5
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    ceiling = sorted(samples_per_second)[-3]
    above = next(n for n, rate in enumerate(samples_per_second) if rate >= ceiling / 2)
    low, high = samples_per_second[above - 1], samples_per_second[above]
    part = math.log(ceiling / 2 / low) / math.log(high / low)
    return batches[above - 1] * 2**part
"""
