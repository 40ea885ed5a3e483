"""Deleted the answer."""

CELL = "{{REFERENCE}}"
POINTS = 0
SAYS = "the starter took its place"


def change(nb):
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] != "total"]
