"""The number that the notebook used above, without any test."""

EXERCISE = "range-test"
CHECK = "too many"
POINTS = 0
CELL = """
def range_test(training, lowest: float, highest: float) -> float:
    return 0.05
"""
