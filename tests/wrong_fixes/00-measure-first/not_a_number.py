"""Calls both versions and reports nan, which compares with nothing."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 0
CELL = """
def compare(first, second, device):
    for _ in range(20):
        first(), second()
    return float("nan")
"""
