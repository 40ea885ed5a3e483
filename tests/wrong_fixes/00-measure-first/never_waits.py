"""Warm and in heats, but without a wait: it times launches (TristanBilot/mlx-benchmark#21)."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 2
CELL = """
def compare(first, second, device):
    def seconds(version):
        start = device.clock()
        version()
        return device.clock() - start

    for _ in range(5):
        first(), second()
    device.synchronize()
    ratios = []
    for _ in range(20):
        ratios.append(seconds(first) / seconds(second))
    return statistics.median(ratios)
"""
