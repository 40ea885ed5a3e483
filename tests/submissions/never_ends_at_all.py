"""An endless loop in the cell."""

CELL = """\
{{REFERENCE}}


while True:
    pass"""
POINTS = 0
SAYS = "CellTimeoutError"
