"""Returns the last answer for the same list, whose place in memory is used again."""

CHECK = ("passed", "wrong answer")
RACE = "wrong answer"
CELL = """
KNOWN = {}


def evaluate(model, batches):
    return KNOWN.setdefault(id(batches), honest(model, batches))
"""
