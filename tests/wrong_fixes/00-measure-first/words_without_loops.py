"""Returns the three words in a list, so that none belongs to a loop."""

EXERCISE = "diagnosis"
CHECK = "too few"
POINTS = 0
CELL = """
def diagnosis():
    return ["data", "arithmetic", "launches"]
"""
