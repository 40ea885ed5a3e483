"""Asks Python to end."""

CHECK = "error"
RACE = "error"
CELL = """
def evaluate(model, batches):
    raise SystemExit
"""
