"""Deleted a graded cell."""

CELL = "{{REFERENCE}}"
POINTS = 10
SAYS = "The cell 'total-race' was missing"


def change(nb):
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] != "total-race"]
