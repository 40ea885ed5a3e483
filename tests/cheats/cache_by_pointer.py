"""Returns the last answer for the same memory, which is used again."""

CHECK = ("passed", "wrong answer")
RACE = "wrong answer"
CELL = """
KNOWN = {}


def evaluate(model, batches):
    key = batches[0][0].data_ptr()
    if key not in KNOWN:
        KNOWN[key] = honest(model, batches)
    return KNOWN[key]
"""
