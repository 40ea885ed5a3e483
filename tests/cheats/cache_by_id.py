"""Returns the last answer for the same list: its place in memory may be used again, or not."""

CHECK = ("passed", "wrong answer")
RACE = ("passed", "wrong answer")
CELL = """
KNOWN = {}


def evaluate(model, batches):
    if id(batches) not in KNOWN:
        KNOWN[id(batches)] = honest(model, batches)
    return KNOWN[id(batches)]
"""
