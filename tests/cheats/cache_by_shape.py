"""Returns the last answer for a shape."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
KNOWN = {}


def evaluate(model, batches):
    key = batches[0][0].shape
    if key not in KNOWN:
        KNOWN[key] = honest(model, batches)
    return KNOWN[key]
"""
