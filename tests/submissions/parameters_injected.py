"""Was run by papermill with parameters of their own."""

CELL = "{{REFERENCE}}"
POINTS = 10


def change(nb):
    injected = {
        "cell_type": "code",
        "execution_count": None,
        "id": "injected",
        "metadata": {"tags": ["injected-parameters"]},
        "outputs": [],
        "source": "exercise = None",
    }
    nb["cells"].insert(5, injected)
