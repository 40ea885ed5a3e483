"""The last doubling that still gains a tenth: three doublings beyond the knee."""

EXERCISE = "knee"
CHECK = "too many"
POINTS = 0
CELL = """
def knee(batches: list[int], samples_per_second: list[float]) -> float | None:
    pairs = zip(batches[1:], samples_per_second, samples_per_second[1:])
    return [batch for batch, before, now in pairs if now >= 1.1 * before][-1]
"""
