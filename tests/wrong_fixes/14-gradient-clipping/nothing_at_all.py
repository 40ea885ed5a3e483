"""Leaves the gradients alone."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 0
CELL = """
def clip(parameters) -> None:
    pass
"""
