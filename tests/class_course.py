"""A course of one short assignment with a real exercise, and a class that hands it in.

Each file in submissions/ is one learner; it says what they did:

CELL      what stands in the solution cell; the starter where there is none
change    a function that changes the notebook handed in
FILE      the name under which it is handed in, without .ipynb
CONTENT   what is handed in in the place of a notebook
POINTS    of 10; None where a person has to look
SAYS      what their feedback page must say
In CELL, {{ROOT}} is the course's folder, {{PORT}} a port where somebody listens, {{SECONDS}} an
argument by which a process can be found, {{PAGE}} HTML that would run in a browser, {{STARTER}} and
{{REFERENCE}} what they are called.
"""

import copy
import json
import runpy
from pathlib import Path
from typing import Any

import nbformat
from fixture_course import editable, graded, tagged
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader import notebook

NAME = "01-total"
SUBMISSIONS = sorted(Path(__file__).with_name("submissions").glob("*.py"))

TASK = """\
import torch

from grader import Exercise, at_most


def total_slow(numbers):
    result = torch.zeros(())
    for number in numbers:
        result = result + number
    return result


def make_case(seed):
    return (torch.rand(400, generator=torch.Generator().manual_seed(seed)),)


exercise = Exercise(
    "01-total/total",
    total_slow,
    make_case,
    points=(6, 4),
    tolerance=1e-3,
    counts={"launches": at_most(3), "host reads": at_most(0)},
)"""

HACKED = "document.body.innerHTML = 'hacked'"
PAGE = f"<img src='http://127.0.0.1:{{{{PORT}}}}/pixel'><script>{HACKED}</script>"

STARTER = """\
def total(numbers):
    result = torch.zeros(())
    for number in numbers:
        result = result + number
    return result"""

REFERENCE = """\
def total(numbers):
    return numbers.sum()"""

SOLUTION = "\n".join(
    [
        "### BEGIN SOLUTION",
        "### BEGIN STARTER",
        *(f"# {line}" for line in STARTER.splitlines()),
        "### END STARTER",
        REFERENCE,
        "### END SOLUTION",
    ]
)


def write_course(root: Path) -> None:
    """Make solutions/ in `root`."""
    cells = [
        new_markdown_cell("# 01 · Total\n\n<details><summary>Hint</summary>One.</details>", id="t"),
        tagged("parameters", "parameters", 'device = "auto"'),
        tagged("exercise", "task", TASK),
        new_code_cell("print(float(total_slow(torch.ones(3))))", id="demonstration"),
        editable("total", SOLUTION),
        graded("total-check", 6, "exercise.check(total)"),
        graded("total-race", 4, "exercise.race(total)"),
    ]
    folder = root / "solutions" / NAME
    folder.mkdir(parents=True)
    nb = new_notebook(cells=cells, metadata=copy.deepcopy(notebook.METADATA))
    nbformat.write(nb, folder / f"{NAME}.ipynb")


def learner(path: Path) -> dict[str, Any]:
    """What the file of one learner says."""
    return runpy.run_path(str(path))


def hand_in(root: Path, path: Path, port: int, seconds: str) -> None:
    """Put what the learner of the file `path` did into var/submitted."""
    said = learner(path)
    places = {"ROOT": str(root), "PAGE": PAGE, "PORT": str(port), "SECONDS": seconds}
    places |= {"STARTER": STARTER, "REFERENCE": REFERENCE}
    folder = root / "var" / "submitted" / path.stem / NAME
    folder.mkdir(parents=True)
    nb = json.loads((root / "notebooks" / NAME / f"{NAME}.ipynb").read_text())
    for cell in nb["cells"]:
        if cell["id"] == "total":
            source = said.get("CELL", STARTER)
            for name, text in places.items():
                source = source.replace("{{" + name + "}}", text)
            cell["source"] = source
    if "change" in said:
        said["change"](nb)
    content = said.get("CONTENT") or json.dumps(nb)
    (folder / f"{said.get('FILE', NAME)}.ipynb").write_text(content)
