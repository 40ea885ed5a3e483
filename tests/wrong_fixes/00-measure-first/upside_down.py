"""A right benchmark that reports how many times as slow the second version is."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 0
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
    return statistics.median(seconds(second) / seconds(first) for _ in range(20))
"""
