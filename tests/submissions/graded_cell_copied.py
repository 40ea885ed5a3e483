"""C and V on a graded cell in JupyterLab; nbgrader alone stops the class."""

CELL = "{{REFERENCE}}"
POINTS = 10


def change(nb):
    nb["cells"].append(nb["cells"][-1] | {"id": "0a1b2c3d"})
