"""An endless loop in the function."""

CELL = """\
def total(numbers):
    while True:
        pass"""
POINTS = 0
SAYS = "No answer within"
