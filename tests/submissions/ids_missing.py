"""Saved by a tool that knows no cell ids."""

CELL = "{{REFERENCE}}"
POINTS = 10


def change(nb):
    nb["nbformat_minor"] = 4
    for cell in nb["cells"]:
        del cell["id"]
