"""Faster, with more calls than are allowed."""

CELL = """\
def total(numbers):
    return sum(part.sum() for part in numbers.chunk(10))"""
POINTS = 4
SAYS = "Too many launches"
