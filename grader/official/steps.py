"""What nbgrader does with a submission, step by step: repair, run, make harmless, score.

The learner's kernel runs the notebook for the feedback page alone, without its graded cells. Their
scores come from the referee, whichever way nbgrader was started.
"""

import json
import math
import shutil
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import DeadKernelError
from nbconvert.exporters import HTMLExporter, NotebookExporter
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from nbgrader import utils
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Integer, Unicode

from grader import notebook
from grader.official import verdicts
from grader.official.harmless import make_harmless
from grader.official.kernel import SandboxedKernel
from grader.official.repair import likeness, repair
from grader.official.sandbox import SandboxError
from grader.score import MIME

SECONDS_PER_NOTEBOOK = 600
TEMPLATES = Path(__file__).with_name("templates")  # of pages, in the place of nbconvert's
SHOWN_PER_NOTEBOOK = 20_000_000  # characters, of everything that a submission shows
_SEAL = (
    '<meta http-equiv="Content-Security-Policy" '
    """content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">"""
)


def adopt_renamed(*, assignment: str, student: str, notebooks: list[str]) -> None:
    """Add to `notebooks` a copy, under the name that is expected, of one handed in under another.

    nbgrader calls this with the paths of a submission's notebooks, and grades those that are in the
    list afterwards. Of several, the one that is most like the released notebook is taken.
    """
    if not notebooks:
        return
    folder = Path(notebooks[0]).parent
    # var/submitted/STUDENT/ASSIGNMENT
    release = folder.parents[3] / "notebooks" / assignment
    for released in release.glob("*.ipynb"):
        wanted = folder / released.name
        if str(wanted) in notebooks:
            continue
        cells = notebook.read(released)
        like = {path: _likeness(Path(path), cells) for path in notebooks}
        best = max(like, key=like.get)
        if like[best] > 0:
            shutil.copy2(best, wanted, follow_symlinks=False)
            notebooks.append(str(wanted))


def _likeness(path: Path, released: dict[str, Any]) -> float:
    try:
        return likeness(notebook.read(path), released)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return 0.0  # no notebook


def unreadable(file: Path) -> str:
    """Why a file that was handed in cannot be read as a notebook; empty where it can.

    Says nothing that stands in the file: it is shown as text of ours.
    """
    if file.is_symlink():
        return "The file that was handed in is a link to another file."
    content = file.read_bytes()
    try:
        json.loads(content)
    except (ValueError, RecursionError) as error:
        return f"The file that was handed in is no notebook: {error}."
    try:
        nb = nbformat.reads(content.decode(), as_version=4)
        complete = all(isinstance(cell.source, str) for cell in nb.cells)
    except Exception:  # nbformat raises whatever strange content leads to
        complete = False
    if not complete:
        return "The file that was handed in is no notebook: it lacks parts that every notebook has."
    return ""


class AnySubmission(NotebookExporter):
    """Goes on without content where a file cannot be read; the steps below say so on the page."""

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        if unreadable(Path(filename)):
            return self.from_notebook_node(new_notebook(), resources, **kw)
        return super().from_filename(filename, resources, **kw)


class _Step(NbGraderPreprocessor):
    """Knows where the files of the submission are that `resources` tell of."""

    def _course(self) -> CourseDirectory:
        return CourseDirectory(config=self.config)

    def _released(self, resources: dict[str, Any]) -> Path:
        names, course = resources["nbgrader"], self._course()
        folder = course.format_path(course.release_directory, ".", names["assignment"])
        return Path(folder, f"{names['notebook']}.ipynb").resolve()

    def _submitted(self, resources: dict[str, Any]) -> Path:
        names, course = resources["nbgrader"], self._course()
        folder = course.format_path(
            course.submitted_directory, names["student"], names["assignment"]
        )
        return Path(folder, f"{names['notebook']}.ipynb")


class RepairSubmission(_Step):
    """Grades the released notebook with the learner's answers in it, and says what was repaired.

    nbgrader's own repairs lose an answer whose metadata is gone, and stop the class at a copied
    cell.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        names = resources["nbgrader"]
        repaired = repair(nb, notebook.read(self._released(resources)))
        why = unreadable(self._submitted(resources))
        head, notes = "Repaired before grading", repaired.notes
        if why:
            head, notes = "Not graded yet", [why]
        for note in notes:
            self.log.warning("%s/%s: %s", names["student"], names["assignment"], note)
        graded = from_dict(repaired.notebook)
        if notes:
            lines = [f"- {note}" for note in notes]
            text = "\n".join([f"**{head}**", "", *lines])
            graded.cells.insert(0, new_markdown_cell(text, id="repaired"))
        return graded, resources


class ExecuteEveryCell(_Step, Execute):
    """Runs a submission in a sandbox, also its cells that are tagged `skip-execution`.

    Of what it shows only text and pictures are kept (`make_harmless`).

    A kernel that dies, and a notebook that uses up its time, become an error in every cell that
    did not end; nbgrader by itself then has neither points nor a feedback page.
    A subclass, because options of Execute itself also reach the learner's Validate button.
    """

    skip_cells_with_tag = Unicode("").tag(config=True)
    seconds_per_notebook = Integer(SECONDS_PER_NOTEBOOK).tag(config=True)
    sandboxed = Bool(True, help="False: a submission runs as you do").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        self._end: float | None = None
        self._stopped = ""
        self._shown = 0
        self._folder = self._released(resources).parent
        self.timeout_func = lambda cell: max(1, min(self.timeout, math.ceil(self._seconds_left())))
        try:
            super().preprocess(nb, resources, km)
        except SandboxError:
            raise
        except Exception as error:  # a kernel can send anything; the scores do not depend on it
            self.log.warning("The notebook could not be run to its end: %r", error)
            text = "**The notebook could not be run to its end**, which costs no points."
            nb.cells.insert(0, new_markdown_cell(text, id="not-run"))
        make_harmless(nb)
        return nb, resources

    def create_kernel_manager(self) -> Any:
        if not self.sandboxed:
            return super().create_kernel_manager()
        self.km = SandboxedKernel(folder=self._folder, config=self.config)
        return self.km

    def _seconds_left(self) -> float:
        if self._end is None:  # the start of the kernel is nobody's fault
            self._end = time.monotonic() + self.seconds_per_notebook
        return self._end - time.monotonic()

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        if msg["msg_type"] != "status":
            before, self._shown = self._shown, self._shown + len(str(msg["content"]))
            if before <= SHOWN_PER_NOTEBOOK < self._shown:
                reason = "from here on nothing of this notebook is shown"
                cell.outputs.append(_error("TooMuchOutput", reason))
            if self._shown > SHOWN_PER_NOTEBOOK:
                return None
        return super().process_message(msg, cell, cell_index)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.cell_type != "code" or utils.is_grade(cell):
            return cell, resources
        if not self._stopped and self._seconds_left() <= 0:
            self._stopped = f"the notebook has had its {self.seconds_per_notebook} s"
        if self._stopped:
            cell.outputs = [_error("NotRun", f"not run: {self._stopped}")]
            return cell, resources
        try:
            return super().preprocess_cell(cell, resources, index)
        except DeadKernelError:
            self._stopped = "Python had ended in a cell before this one"
            reason = "Python ended in this cell: out of memory, os._exit, or a crash in native code"
            cell.outputs.append(_error("KernelDied", reason))
            return cell, resources


class SealedPage(HTMLExporter):
    """A feedback page that runs no script and loads nothing, whatever is in it."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        page, resources = super().from_notebook_node(nb, resources, **kw)
        head, rest = page.split("<head>", 1)
        return f"{head}<head>\n{_SEAL}{rest}", resources


class OfficialScores(_Step):
    """Puts the referee's scores into the graded cells."""

    sandboxed = Bool(True, help="False: answers run as you do").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        names = resources["nbgrader"]
        answers, graded = {}, {}
        for cell in nb.cells:
            if cell.cell_type == "code" and utils.is_solution(cell):
                answers[cell.metadata.nbgrader["grade_id"]] = cell.source
            elif cell.cell_type == "code" and utils.is_grade(cell):
                graded[cell.metadata.nbgrader["grade_id"]] = cell
        file = verdicts.file_of(Path(self._course().root), names["student"], names["assignment"])
        if why := unreadable(self._submitted(resources)):
            done = verdicts.left_open(list(graded), file, why)
        else:
            released = self._released(resources)
            done = verdicts.graded(released, answers, file, sandboxed=self.sandboxed)
        for name, cell in graded.items():
            score = done["cells"][name]
            bundle = {
                "text/plain": repr(float(score["points"])),
                "text/html": score["html"],
                MIME: {key: value for key, value in score.items() if key != "html"},
            }
            cell.outputs = [new_output("execute_result", data=bundle, execution_count=1)]
        return nb, resources


class OpenVerdicts(SaveAutoGrades):
    """Saves the points; leaves to a person a cell of which no measurement could tell.

    Such a cell has no automatic score in the gradebook and needs manual grading.
    """

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._add_score(cell, resources)
        if _outcome(cell) not in verdicts.OPEN:
            return
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader["grade_id"],
            self.notebook_id,
            self.assignment_id,
            self.student_id,
        )
        grade.auto_score = None
        grade.needs_manual_grade = True
        self.gradebook.db.commit()
        note = "Not graded yet: the instructor grades this cell again, or by hand.\n"
        cell.outputs.append(new_output("stream", name="stdout", text=note))


def _error(name: str, reason: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def _outcome(cell: NotebookNode) -> str | None:
    """Return the outcome on the card of the graded cell, where it ends in one."""
    for output in cell.get("outputs", []):
        if output.output_type == "execute_result":
            card = output["data"].get(MIME)
            return card.get("outcome") if isinstance(card, dict) else None
    return None
