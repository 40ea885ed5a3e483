"""Looks at some of the samples of each batch."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
def evaluate(model, batches):
    return honest(model, [(x[:50], y[:50]) for x, y in batches])
"""
