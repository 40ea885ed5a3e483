"""Raises an error whose text is HTML."""

CELL = """\
def total(numbers):
    raise RuntimeError("{{PAGE}}")"""
POINTS = 0
SAYS = "RuntimeError"
