"""Sums all but the first."""

CELL = """\
def total(numbers):
    return numbers[1:].sum()"""
POINTS = 0
SAYS = "Wrong answer"
