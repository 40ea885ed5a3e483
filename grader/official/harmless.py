"""What learners wrote and showed, as nothing but text and pictures.

nbgrader shows it on pages from which a script could do whatever the teacher can.
"""

import base64
import binascii
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output

from grader import notebook

SHOWN_PER_OUTPUT = 50_000  # characters of text
OUTPUTS_PER_CELL = 200
_PACKAGE = Path(notebook.__file__).parent
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def make_harmless(nb: NotebookNode) -> None:
    """Change an executed submission in place.

    Nothing that its kernel said is believed, whichever cell it was about: it may be no valid
    notebook before. The course's own text is left as it is. Frames of this package are cut out of
    tracebacks: they are not where the learner's mistake is.
    """
    nb.metadata = from_dict(notebook.METADATA)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.execution_count = _whole(cell.execution_count)
            cell.outputs = list(_harmless(cell.outputs[:OUTPUTS_PER_CELL]))
        elif cell.id.startswith("own-") or cell.metadata.get("nbgrader", {}).get("solution"):
            # As it was typed: Markdown can hold HTML, and pictures from elsewhere.
            cell.cell_type = "markdown"
            cell.source = f"<pre>{html.escape(cell.source)}</pre>"


def _harmless(outputs: list[NotebookNode]) -> Iterator[NotebookNode]:
    for output in outputs:
        match output.output_type:
            case "stream":
                yield new_output("stream", name="stdout", text=_text(output.text))
            case "error":
                frames = [_text(frame) for frame in output.traceback if not _is_ours(frame)]
                name, value = _text(output.ename), _text(output.evalue)
                yield new_output("error", ename=name, evalue=value, traceback=frames)
            case "display_data" | "execute_result" as kind:
                data = {}
                for form in ("image/png", "image/jpeg"):
                    if picture := _picture(output.data.get(form)):
                        data[form] = picture
                if "text/plain" in output.data:
                    data["text/plain"] = _text(output.data["text/plain"])
                if data and kind == "execute_result":
                    count = _whole(output.execution_count)
                    yield new_output(kind, data=data, execution_count=count)
                elif data:
                    yield new_output(kind, data=data)


def _text(value: Any) -> str:
    text = str(value)
    return text if len(text) <= SHOWN_PER_OUTPUT else text[:SHOWN_PER_OUTPUT] + "\n…"


def _is_ours(frame: Any) -> bool:
    """Whether a frame of IPython's traceback is in this package."""
    return _COLOURS.sub("", str(frame)).startswith((f"File {_PACKAGE}", f"File {_short(_PACKAGE)}"))


def _short(path: Path) -> str:
    """As IPython writes it."""
    home = str(Path.home())
    return "~" + str(path).removeprefix(home) if str(path).startswith(home + "/") else str(path)


def _picture(data: Any) -> str:
    """The base64 of a picture, written anew; empty where it is none."""
    try:
        return base64.b64encode(base64.b64decode(data)).decode()
    except (binascii.Error, TypeError, ValueError):
        return ""


def _whole(number: Any) -> int | None:
    return number if type(number) is int else None
