"""Waits before the last reading alone, so that the second version pays for both."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 0
CELL = """
def compare(first, second, device):
    start = device.clock()
    for _ in range(20):
        first()
    middle = device.clock()
    for _ in range(20):
        second()
    device.synchronize()
    return (middle - start) / (device.clock() - middle)
"""
