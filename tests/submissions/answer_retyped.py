"""Turned the answer into Markdown."""

CELL = "{{REFERENCE}}"
POINTS = 10
SAYS = "had been changed"


def change(nb):
    for cell in nb["cells"]:
        if cell["id"] == "total":
            cell["cell_type"] = "markdown"
            del cell["outputs"], cell["execution_count"]
