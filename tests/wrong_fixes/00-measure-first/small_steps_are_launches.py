"""Reads milliseconds per step instead of microseconds per launch: two words change places."""

EXERCISE = "diagnosis"
CHECK = "too few"
POINTS = 1
CELL = """
def diagnosis():
    return {"photos": "data", "tokens": "launches", "points": "arithmetic"}
"""
