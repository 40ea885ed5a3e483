"""Forgot a colon."""

CELL = """\
def total(numbers)
    return numbers.sum()"""
POINTS = 0
SAYS = "SyntaxError"
