"""Comes from Colab."""

CELL = "{{REFERENCE}}"
POINTS = 10


def change(nb):
    nb["metadata"] = {
        "kernelspec": {"name": "colab-gpu", "display_name": "colab"},
        "accelerator": "GPU",
    }
    for cell in nb["cells"]:
        cell["metadata"]["id"] = cell.pop("id")
