"""A real assignment of the course, graded by the referee through nbgrader."""

import ast
import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader import notebook
from grader.release import release

ROOT = Path(__file__).parent.parent
NAME = "07-transfers-and-syncs"


def cell_of(file: str) -> str:
    """The cell of a file in tests/, which assigns it to CELL."""
    statements = ast.parse((ROOT / "tests" / file).read_text()).body
    return next(
        ast.literal_eval(statement.value)
        for statement in statements
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "CELL"
    )


def submissions() -> dict[str, tuple[str, float]]:
    """student: (source of the solution cell, points)"""
    cell = notebook.solution_cells(notebook.read(ROOT / "solutions" / NAME / f"{NAME}.ipynb"))
    honest = notebook.reference(cell["evaluation"])
    return {
        "honest": (honest, 10),
        "wrong": (cell_of(f"wrong_fixes/{NAME}/no_check_for_bad_batches.py"), 0),
    }


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def official(folder: Path, **options) -> str:
    code = f"""
from pathlib import Path
from grader.official.autograde import autograde
print("in need:", autograde(Path({str(folder)!r}), {NAME!r}, **{options!r}))
"""
    return run(folder, "-c", code)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class that the referee has graded; (its folder, what was printed)."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "solutions" / NAME, folder / "solutions" / NAME)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    release(folder)
    released = folder / "notebooks" / NAME / f"{NAME}.ipynb"
    for student, (source, _) in submissions().items():
        nb = notebook.read(released)
        for cell in nb["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == "evaluation":
                cell["source"] = source
        path = folder / "var" / "submitted" / student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        notebook.write(path, nb)
    run(folder, "-m", "nbgrader", "generate_assignment", NAME, "--force")
    for student in submissions():
        run(folder, "-m", "nbgrader", "db", "student", "add", student)
    return folder, official(folder)


def verdicts(folder: Path) -> dict[str, dict]:
    files = folder.glob(f"var/verdicts/*/{NAME}.json")
    return {file.parent.name: json.loads(file.read_text()) for file in files}


@pytest.mark.timing
def test_every_submission_gets_its_points(course):
    folder, printed = course
    if any("inconclusive" in json.dumps(kept) for kept in verdicts(folder).values()):
        printed = official(folder, retry=True)
    assert "in need: 0" in printed
    run(folder, "-m", "nbgrader", "export", f"--to={folder / 'var' / 'grades.csv'}")
    with open(folder / "var" / "grades.csv", newline="") as file:
        points = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert points == {student: points for student, (_, points) in submissions().items()}


@pytest.mark.timing
def test_the_pages_show_the_referees_cards(course):
    folder, _ = course
    run(folder, "-m", "nbgrader", "generate_feedback", NAME)
    for student, words in (
        ("honest", "As fast as needed"),
        ("wrong", "Wrong answer"),
    ):
        page = folder / "var" / "feedback" / student / NAME / f"{NAME}.html"
        assert words in page.read_text(), student


@pytest.mark.timing
def test_what_was_measured_is_kept(course):
    race = verdicts(course[0])["honest"]["exercises"][f"{NAME}/evaluation"]["races"][-1]
    assert race["decision"] == "reached"
    assert len(race["heats"]) >= 12 and race["heats"][0].keys() >= {"slow", "fix"}


@pytest.mark.timing
def test_grading_again_changes_nothing_and_measures_only_what_has_changed(course):
    folder, _ = course
    before = verdicts(folder)
    path = folder / "var" / "submitted" / "wrong" / NAME / f"{NAME}.ipynb"
    path.write_text(path.read_text().replace("def evaluate", "# Again.\\ndef evaluate"))
    official(folder, student="[hw]*")
    after = verdicts(folder)
    assert after["honest"] == before["honest"]
    assert after["wrong"]["exercises"] != before["wrong"]["exercises"]
    assert {score["outcome"] for score in after["wrong"]["cells"].values()} == {"wrong answer"}


def test_nothing_to_grade_is_said(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    code = f"from pathlib import Path; from grader.official.autograde import autograde as a; \
a(Path({str(tmp_path)!r}), 'no-such')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ValueError: nothing to grade: no submission in var/submitted/*/no-such" in done.stderr
