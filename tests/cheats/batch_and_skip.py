"""Works honestly until it is timed, then in every third call."""

CHECK = "passed"
RACE = "wrong answer"
CELL = """
CALLS = [0]
LAST = [None]


def evaluate(model, batches):
    CALLS[0] += 1
    if CALLS[0] > 8 and CALLS[0] % 3:
        return LAST[0]
    LAST[0] = honest(model, batches)
    return LAST[0]
"""
