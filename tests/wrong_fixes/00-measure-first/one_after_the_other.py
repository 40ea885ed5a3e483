"""Waits and warms up, but runs all of one version before all of the other."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 2
CELL = """
def compare(first, second, device):
    def seconds(version):
        start = device.clock()
        version()
        device.synchronize()
        return device.clock() - start

    for _ in range(5):
        first(), second()
    device.synchronize()
    of_first = [seconds(first) for _ in range(20)]
    of_second = [seconds(second) for _ in range(20)]
    return statistics.median(of_first) / statistics.median(of_second)
"""
