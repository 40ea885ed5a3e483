"""Calls both versions often enough and then reports a number of its own."""

EXERCISE = "benchmark"
CHECK = "too many"
POINTS = 0
CELL = """
def compare(first, second, device):
    for _ in range(20):
        first(), second()
    return 1.5
"""
