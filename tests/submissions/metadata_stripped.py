"""A tool has dropped all metadata."""

CELL = "{{REFERENCE}}"
POINTS = 10


def change(nb):
    nb["metadata"] = {}
    for cell in nb["cells"]:
        cell["metadata"] = {}
