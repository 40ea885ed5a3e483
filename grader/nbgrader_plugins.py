"""How nbgrader works in this course: its folders, and what its own steps do differently here.

With `grader.official` all that imports nbgrader. `nbgrader_config.py` calls `configure`.
"""

import csv
import json
import logging
import os
import sysconfig
from functools import partial
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbformat import NotebookNode
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
    IgnorePattern,
    IncludeHeaderFooter,
    InstantiateTests,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveCells,
)
from nbgrader.server_extensions.formgrader import handlers as formgrader
from traitlets.config import Config

from grader import notebook
from grader.official.steps import (
    TEMPLATES,
    AnySubmission,
    ExecuteEveryCell,
    OfficialScores,
    OpenVerdicts,
    RepairSubmission,
    SealedPage,
    adopt_renamed,
)

COURSE = "fast-pytorch-training"
SECONDS_PER_CELL = 120


def configure(c: Config, config_file: str | Path, *, sandboxed: bool = True) -> None:
    """Set the course's options on `c`; the course is the folder that holds `config_file`.

    Makes var/ there, which holds everything that is made at run time. `sandboxed=False`: what
    learners hand in is run and graded without a sandbox.
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
    c.Autograde.pre_convert_hook = adopt_renamed
    c.Autograde.exporter_class = AnySubmission
    c.Autograde.autograde_preprocessors = [
        ExecuteEveryCell,
        IgnorePattern,
        ClearMetadataPreprocessor,
        LimitOutput,
        OfficialScores,
        OpenVerdicts,
        AssignLatePenalties,
        CheckCellMetadata,
    ]
    c.GenerateFeedback.exporter_class = SealedPage
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), formgrader.template_path]
    c.ExecuteEveryCell.sandboxed = sandboxed
    c.OfficialScores.sandboxed = sandboxed


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


# ---- grades --------------------------------------------------------------------------------------


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
