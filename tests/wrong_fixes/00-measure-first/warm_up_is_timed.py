"""Waits and takes turns, but the slow first calls are among the readings that it adds up."""

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

    pairs = [(seconds(first), seconds(second)) for _ in range(20)]
    return sum(pair[0] for pair in pairs) / sum(pair[1] for pair in pairs)
"""
