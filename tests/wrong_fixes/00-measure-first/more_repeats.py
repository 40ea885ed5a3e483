"""Repeats a hundred times as often, which thins out the warm-up and leaves every bias."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 1
CELL = """
def compare(first, second, device):
    start = device.clock()
    for _ in range(2_000):
        first()
    middle = device.clock()
    for _ in range(2_000):
        second()
    return (middle - start) / (device.clock() - middle)
"""
