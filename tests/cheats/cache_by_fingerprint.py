"""Knows inputs again by a few of their numbers."""

CHECK = "too many"
RACE = ("short of the goal", "slower", "inconclusive", "wrong answer")
CELL = """
KNOWN = {}


def evaluate(model, batches):
    key = float(batches[0][0][-1, 8:].sum())
    if key not in KNOWN:
        KNOWN[key] = dict(evaluate_slow(model, batches))
    return KNOWN[key]
"""
