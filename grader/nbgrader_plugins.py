"""How nbgrader works in this course: its folders, and what its own steps do differently here.

With `grader.official.autograde` the only module that imports nbgrader. `nbgrader_config.py` calls
`configure`.
"""

import csv
import json
import logging
import math
import os
import sysconfig
import time
from functools import partial
from pathlib import Path
from typing import Any

from nbclient.exceptions import DeadKernelError
from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    Execute,
    IgnorePattern,
    IncludeHeaderFooter,
    InstantiateTests,
    LimitOutput,
    LockCells,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)
from traitlets import Bool, Integer, Unicode
from traitlets.config import Config

from grader import notebook
from grader.official.repair import repair
from grader.score import MIME

COURSE = "fast-pytorch-training"
SECONDS_PER_CELL = 120
SECONDS_PER_NOTEBOOK = 600


def configure(c: Config, config_file: str | Path) -> None:
    """Set the course's options on `c`; the course is the folder that holds `config_file`.

    Makes var/ there, which holds everything that is made at run time.
    """
    root = Path(config_file).resolve().parent
    var = root / "var"
    var.mkdir(exist_ok=True)

    # nbgrader calls the program alembic, which is not on the path of an environment that is used
    # without being activated.
    scripts = sysconfig.get_path("scripts")
    if scripts not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] += os.pathsep + scripts

    c.CourseDirectory.course_id = COURSE
    c.CourseDirectory.root = str(root)
    c.CourseDirectory.source_directory = "solutions"
    c.CourseDirectory.release_directory = "notebooks"
    c.CourseDirectory.submitted_directory = "var/submitted"
    c.CourseDirectory.autograded_directory = "var/autograded"
    c.CourseDirectory.feedback_directory = "var/feedback"
    c.CourseDirectory.solution_directory = "var/solution"
    c.CourseDirectory.source_with_tests_directory = "var/source_with_tests"
    c.CourseDirectory.db_url = f"sqlite:///{var / 'gradebook.db'}"
    # No pattern may match timestamp.txt, which tells when a submission was handed in.
    c.CourseDirectory.ignore = [".*", "*.pyc", "__pycache__", "feedback"]
    c.NbGrader.logfile = str(var / "nbgrader.log")
    c.ExportApp.plugin_class = OpenGradesExport
    c.Exchange.root = str(var / "exchange")

    # Also for the learner's Validate button: a race may take longer than nbgrader's 30 s.
    c.Execute.timeout = SECONDS_PER_CELL

    # nbgrader's own lists, in its order, with the steps of this module in them.
    c.GenerateAssignment.preprocessors = [
        IncludeHeaderFooter,
        InstantiateTests,
        LockCells,
        StarterSolutions,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        SaveCells,
        ClearHiddenTests,
        ClearMarkScheme,
        ComputeChecksums,
        CheckCellMetadata,
    ]
    c.GenerateAssignment.exporter_class = CanonicalExporter
    c.GenerateAssignment.post_convert_hook = partial(remove_other_files, root / "notebooks")
    c.Autograde.sanitize_preprocessors = [
        RepairSubmission,
        OverwriteKernelspec,
        OverwriteCells,
        CheckCellMetadata,
    ]
    c.Autograde.autograde_preprocessors = [
        ExecuteEveryCell,
        IgnorePattern,
        ClearMetadataPreprocessor,
        MergeStderr,
        StrictScore,
        LimitOutput,
        OpenVerdicts,
        AssignLatePenalties,
        CheckCellMetadata,
    ]


def generate(root: Path) -> None:
    """Write notebooks/ of the course in the folder `root`, which must not have one yet.

    Raises RuntimeError with nbgrader's own messages where nbgrader fails.
    """
    config = Config()
    configure(config, root / "nbgrader_config.py")
    messages: list[str] = []
    log = logging.Logger("grader.release")
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: messages.append(record.getMessage())
    log.addHandler(handler)
    course = CourseDirectory(config=config, log=log, assignment_id="*")
    try:
        GenerateAssignment(coursedir=course, config=config, log=log).start()
    except NbGraderException as error:
        raise RuntimeError("\n".join(messages) or str(error)) from error


# ---- the learner's copy ------------------------------------------------------------------------


class StarterSolutions(ClearSolutions):
    """Show the slow, working starter of a solution cell, where nbgrader has NotImplementedError."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.cell_type == "code" and utils.is_solution(cell):
            cell.source = notebook.starter(cell.source)
            return cell, resources
        return super().preprocess_cell(cell, resources, cell_index)


class CanonicalExporter(NotebookExporter):
    """Writes a notebook in the course's one form, so that generating it again changes no byte."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        output, resources = super().from_notebook_node(nb, resources, **kw)
        return notebook.canonical(json.loads(output)).decode(), resources


def remove_other_files(release: Path, *, notebooks: list[str], **_: Any) -> None:
    """Keep an assignment's notebook and modules in `release`, and nothing else.

    nbgrader copies every file that lies beside the source of an assignment. It calls this when
    the assignment is written; `notebooks` are the paths of its sources.
    """
    for assignment in {Path(path).parent.name for path in notebooks}:
        for path in (release / assignment).rglob("*"):
            if path.is_file() and path.suffix not in (".ipynb", ".py"):
                path.unlink()


# ---- grading -----------------------------------------------------------------------------------


class RepairSubmission(NbGraderPreprocessor):
    """Grades the released notebook with the learner's answers in it, and says what was repaired.

    nbgrader's own repairs lose an answer whose metadata is gone, and stop the class at a copied
    cell.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        names = resources["nbgrader"]
        course = CourseDirectory(parent=self.parent)
        folder = course.format_path(course.release_directory, ".", names["assignment"])
        released = notebook.read(Path(folder) / f"{names['notebook']}.ipynb")
        repaired = repair(nb, released)
        for note in repaired.notes:
            self.log.warning("%s/%s: %s", names["student"], names["assignment"], note)
        graded = from_dict(repaired.notebook)
        if repaired.notes:
            lines = [f"- {note}" for note in repaired.notes]
            text = "\n".join(["**Repaired before grading**", "", *lines])
            graded.cells.insert(0, new_markdown_cell(text, id="repaired"))
        return graded, resources


class ExecuteEveryCell(Execute):
    """Runs a submission, also its cells that are tagged `skip-execution`, whatever happens in it.

    A kernel that dies, and a notebook that uses up its time, become an error in every cell that
    did not end; nbgrader by itself then has neither points nor a feedback page.
    A subclass, because options of Execute itself also reach the learner's Validate button.
    """

    skip_cells_with_tag = Unicode("").tag(config=True)
    seconds_per_notebook = Integer(SECONDS_PER_NOTEBOOK).tag(config=True)
    skip_graded = Bool(False, help="leave the graded cells to somebody else").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        self._end: float | None = None
        self._stopped = ""
        self.timeout_func = lambda cell: max(1, min(self.timeout, math.ceil(self._seconds_left())))
        return super().preprocess(nb, resources, km)

    def _seconds_left(self) -> float:
        if self._end is None:  # the start of the kernel is nobody's fault
            self._end = time.monotonic() + self.seconds_per_notebook
        return self._end - time.monotonic()

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.cell_type != "code" or (self.skip_graded and utils.is_grade(cell)):
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


class MergeStderr(NbGraderPreprocessor):
    """Shows as stdout what went to stderr: nbgrader gives a cell that warns no points."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.name = "stdout"
        return cell, resources


class StrictScore(NbGraderPreprocessor):
    """Makes an error, which is 0 points, of a graded cell that ends in no valid score.

    nbgrader gives every point to a cell that ends in nothing, in None, in nan, in a negative
    number or in a tensor, and cannot grade a submission that has more points than the maximum.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.cell_type != "code" or not utils.is_grade(cell) or utils.is_solution(cell):
            return cell, resources
        failed = any(output.output_type == "error" for output in cell.outputs)
        reason = "" if failed else _why_no_score(cell)
        if failed or reason:
            # Still shown, and no longer counted.
            for output in _results(cell):
                output.output_type = "display_data"
                del output["execution_count"]
        if reason:
            self.log.warning("%s: %s", cell.metadata.nbgrader["grade_id"], reason)
            cell.outputs.append(_error("NoScore", reason))
        return cell, resources


class OpenVerdicts(SaveAutoGrades):
    """Saves the points; leaves a cell whose measurement was inconclusive to a person.

    Such a cell has no automatic score in the gradebook and needs manual grading.
    """

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._add_score(cell, resources)
        if _outcome(cell) != "inconclusive":
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
        note = (
            "Not graded yet: the measurement was inconclusive. "
            "The instructor grades this cell again, or by hand.\n"
        )
        cell.outputs.append(new_output("stream", name="stdout", text=note))


class OpenGradesExport(ExportPlugin):
    """One row for each student and assignment; no score where a cell waits for a person.

    nbgrader's own export counts such a cell as 0 points.
    """

    def export(self, gradebook: Gradebook) -> None:
        path = Path(self.to or "grades.csv")
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        with open(beside, "w", newline="") as file:
            table = csv.DictWriter(file, _EXPORTED)
            table.writeheader()
            for assignment in gradebook.assignments:
                for student in gradebook.students:
                    if self._wanted(assignment, student):
                        table.writerow(_exported(gradebook, assignment, student))
        beside.replace(path)
        self.log.info("Grades are in %s", path)

    def _wanted(self, assignment: Any, student: Any) -> bool:
        students, assignments = ([str(name) for name in x] for x in (self.student, self.assignment))
        return (not students or student.id in students) and (
            not assignments or assignment.name in assignments
        )


_EXPORTED = ("assignment", "student_id", "last_name", "first_name", "email", "timestamp")
_EXPORTED += ("late_submission_penalty", "score", "max_score", "open")


def _exported(gradebook: Gradebook, assignment: Any, student: Any) -> dict[str, Any]:
    row = {
        "assignment": assignment.name,
        "student_id": student.id,
        "last_name": student.last_name,
        "first_name": student.first_name,
        "email": student.email,
        "max_score": assignment.max_score,
    }
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return row | {"score": 0.0}
    waiting = [
        grade.name
        for submitted in submission.notebooks
        for grade in submitted.grades
        if grade.needs_manual_grade
    ]
    penalty = submission.late_submission_penalty or 0.0
    return row | {
        "timestamp": submission.timestamp,
        "late_submission_penalty": penalty,
        "score": "" if waiting else max(0.0, submission.score - penalty),
        "open": " ".join(waiting),
    }


def _error(name: str, reason: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def _results(cell: NotebookNode) -> list[NotebookNode]:
    return [output for output in cell.outputs if output.output_type == "execute_result"]


def _why_no_score(cell: NotebookNode) -> str:
    """Say why the graded cell ends in no number in [0, its points]; "" where it does."""
    maximum = float(cell.metadata.nbgrader["points"])
    results = _results(cell)
    if len(results) != 1:
        ends = "several results" if results else "nothing"
        return f"the graded cell ends in {ends}, not in one score from 0 to {maximum:g}"
    text = results[0]["data"].get("text/plain", "")
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if 0 <= score <= maximum:
        return ""
    return f"the graded cell ends in {text[:80]!r}, not in a plain number from 0 to {maximum:g}"


def _outcome(cell: NotebookNode) -> str | None:
    """Return the outcome on the card of the graded cell, where it ends in one."""
    for output in cell.get("outputs", []):
        if output.output_type == "execute_result":
            card = output["data"].get(MIME)
            return card.get("outcome") if isinstance(card, dict) else None
    return None
