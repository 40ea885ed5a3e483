"""Seconds per submission, graded officially, beside plain nbgrader on the same notebooks."""

import copy
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader import notebook
from grader.nbgrader_plugins import configure
from grader.official import verdicts
from grader.release import release

GOAL = 2.0  # official, as a multiple of plain
# Of nbgrader's own list the steps that this course replaces.
_OURS = ("sanitize_preprocessors", "autograde_preprocessors", "pre_convert_hook")


def bench(course: Path, names: list[str], submissions: int = 3) -> bool:
    """Print the table; returns whether the goal is met for all notebooks together."""
    print(f"\nseconds per submission (the references, {submissions} times), one after the other")
    total = {"official": 0.0, "plain": 0.0}
    for name in names:
        with _course_of(course, name, submissions) as root:
            config = Config()
            configure(config, root / "nbgrader_config.py")
            plain = copy.deepcopy(config)
            for trait in _OURS:
                del plain.Autograde[trait]
            seconds = {}
            for kind, settings in (("plain", plain), ("official", config)):
                seconds[kind] = _autograde(settings, name) / submissions
                total[kind] += seconds[kind]
            points = _points(config, name)
        print(
            f"  {name:32}  official {seconds['official']:5.1f}  plain {seconds['plain']:5.1f}  "
            f"{seconds['official'] / seconds['plain']:.2f} times  points {points}",
            flush=True,
        )
    ratio = total["official"] / total["plain"]
    print(f"  all: {ratio:.2f} times as long as plain nbgrader; goal {GOAL:g}")
    return ratio <= GOAL


@contextmanager
def _course_of(course: Path, name: str, submissions: int) -> Iterator[Path]:
    """A course of one assignment, with its solution handed in several times."""
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as folder:
        root = Path(folder)
        shutil.copytree(course / "solutions" / name, root / "solutions" / name)
        shutil.copy(course / "nbgrader_config.py", root)
        release(root)
        released = root / "notebooks" / name / f"{name}.ipynb"
        nb = notebook.read(root / "solutions" / name / f"{name}.ipynb")
        answers = notebook.solution_cells(nb)
        submitted = notebook.read(released)
        for cell in submitted["cells"]:
            if cell["id"] in answers:
                cell["source"] = notebook.reference(answers[cell["id"]])
        config = Config()
        configure(config, root / "nbgrader_config.py")
        _into_gradebook(config, name)
        for number in range(submissions):
            path = root / "var" / "submitted" / f"learner-{number}" / name / released.name
            path.parent.mkdir(parents=True)
            notebook.write(path, submitted)
            with _gradebook(config) as gradebook:
                gradebook.add_student(f"learner-{number}")
        try:
            yield root
        finally:
            verdicts.close()


def _into_gradebook(config: Config, name: str) -> None:
    course = CourseDirectory(config=config, assignment_id=name)
    GenerateAssignment(coursedir=course, config=config, force=True).start()


def _gradebook(config: Config) -> Gradebook:
    return Gradebook(config.CourseDirectory.db_url)


def _autograde(config: Config, name: str) -> float:
    start = time.monotonic()
    course = CourseDirectory(config=config, assignment_id=name, student_id="learner-*")
    Autograde(coursedir=course, config=config, force=True).start()
    return time.monotonic() - start


def _points(config: Config, name: str) -> list[float]:
    with _gradebook(config) as gradebook:
        return [one.score for one in gradebook.assignment_submissions(name)]
