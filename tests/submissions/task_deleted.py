"""Deleted the locked cell that everything else needs."""

CELL = "{{REFERENCE}}"
POINTS = 10
SAYS = "The cell 'exercise' was missing"


def change(nb):
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] != "exercise"]
