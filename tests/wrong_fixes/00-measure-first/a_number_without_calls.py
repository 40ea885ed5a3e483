"""Returns a plausible number and calls nothing."""

EXERCISE = "benchmark"
CHECK = "too few"
POINTS = 0
CELL = """
def compare(first, second, device):
    return 1.5
"""
