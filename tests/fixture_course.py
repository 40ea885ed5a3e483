"""A course of one small assignment, for the tests of releasing and grading.

Its score needs no torch and no clock: a right sum is worth 4 points, and each of the 6 points
for speed is lost or kept by how often the fix calls `add`.
"""

import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

NAME = "01-sum"
ROOT = Path(__file__).parent.parent

MODULE = """\
calls = 0


def add(a, b):
    global calls
    calls += 1
    return a + b
"""

SCORE = """\
import helpers

class Score(float):
    def __new__(cls, points, maximum, part, outcome):
        self = super().__new__(cls, points)
        self.card = {"exercise": "01-sum/total", "part": part, "outcome": outcome,
                     "points": float(points), "max": maximum}
        return self
    __repr__ = float.__repr__
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "application/vnd.grader.score+json": self.card,
                "text/html": f"<div style='color: teal'>card says {self.card['outcome']}</div>"}"""

EXERCISE = """\
class Exercise:
    def check(self, fix):
        right = fix(10) == 45
        return Score(4 * right, 4, "check", "passed" if right else "wrong answer")
    def race(self, fix):
        helpers.calls = 0
        right = fix(10) == 45
        if getattr(fix, "noisy", False):
            return Score(0, 6, "race", "inconclusive")
        points = (6 if helpers.calls == 0 else 3 if helpers.calls < 10 else 0) * right
        return Score(points, 6, "race", "passed" if points == 6 else "slower")

exercise = Exercise()"""

SOLUTION = """\
# Sum of the numbers below n.
### BEGIN SOLUTION
### BEGIN STARTER
# def total(n):
#     # one at a time
#     result = 0
#
#     for i in range(n):
#         result = helpers.add(result, i)
#     return result
### END STARTER
def total(n):
    return n * (n - 1) // 2
### END SOLUTION"""

STARTER = """\
# Sum of the numbers below n.
def total(n):
    # one at a time
    result = 0

    for i in range(n):
        result = helpers.add(result, i)
    return result"""

REFERENCE = """\
# Sum of the numbers below n.
def total(n):
    return n * (n - 1) // 2"""

WRONG = "def total(n):\n    return n * (n + 1) // 2"
HALF_RIGHT = "def total(n):\n    return helpers.add(n * (n - 1) // 2, 0)"
NOISY = REFERENCE + "\n\ntotal.noisy = True"


def graded(grade_id: str, points: int, source: str) -> NotebookNode:
    return _cell(source, grade_id=grade_id, grade=True, locked=True, points=points, solution=False)


def editable(grade_id: str, source: str) -> NotebookNode:
    return _cell(source, grade_id=grade_id, grade=False, locked=False, solution=True)


def _cell(source: str, **nbgrader: object) -> NotebookNode:
    nbgrader |= {"cell_type": "code", "schema_version": 3, "task": False}
    return new_code_cell(source, id=nbgrader["grade_id"], metadata={"nbgrader": nbgrader})


def tagged(cell_id: str, tag: str, source: str) -> NotebookNode:
    return new_code_cell(source, id=cell_id, metadata={"tags": [tag]})


def source_notebook() -> NotebookNode:
    """Return the notebook as an author writes it, in canonical form."""
    cells = [
        new_markdown_cell("# 01 · Sum\n\nA sum, in “one” step.", id="title"),
        tagged("parameters", "parameters", 'device = "auto"\nseed = 0'),
        tagged("score", "task", SCORE),
        tagged("exercise", "task", EXERCISE),
        # Fails outside Jupyter, where `load` must not run it.
        new_code_cell("get_ipython().user_ns['seed']", id="not-a-task"),
        editable("total", SOLUTION),
        graded("total-check", 4, "exercise.check(total)"),
        graded("total-race", 6, "# The clock.\nexercise.race(total)"),
    ]
    metadata = {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
    }
    return new_notebook(cells=cells, metadata=metadata)


def write_course(root: Path, name: str = NAME) -> Path:
    """Make solutions/`name` in `root` and return the path of its notebook."""
    folder = root / "solutions" / name
    (folder / ".ipynb_checkpoints").mkdir(parents=True)
    (folder / "helpers.py").write_text(MODULE)
    for hidden in ("notes.txt", ".ipynb_checkpoints/helpers-checkpoint.py"):
        (folder / hidden).write_text("what only the author should read")
    path = folder / f"{name}.ipynb"
    nbformat.write(source_notebook(), path)
    return path


def with_solution(release: Path, source: str, grade_id: str = "total") -> str:
    """Return the notebook in the file `release` with `source` in its solution cell, as JSON."""
    nb = json.loads(release.read_text())
    [cell] = [cell for cell in nb["cells"] if cell["id"] == grade_id]
    cell["source"] = source.splitlines(keepends=True)
    return json.dumps(nb)
