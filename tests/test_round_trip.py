"""One assignment's whole way: generated, released, handed in, graded, reported."""

import contextlib
import csv
import json
import os
import shutil

import pytest
from fixture_course import (
    HALF_RIGHT,
    NAME,
    NOISY,
    REFERENCE,
    ROOT,
    STARTER,
    WRONG,
    with_solution,
    write_course,
)
from jupyter_core.application import NoStart
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderApp

from grader import notebook
from grader.nbgrader_plugins import COURSE
from grader.official import verdicts
from grader.official.referee import Grading
from grader.official.sandbox import obstacle
from grader.release import release
from grader.score import MIME

# nbgrader's own, for the first submission of each learner.
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

# Writes to stderr while it is graded, which must cost nothing.
WARNS = """\
import warnings

def total(n):
    warnings.warn("deprecated")
    return n * (n - 1) // 2"""


def cell_copied(nb):
    """In JupyterLab: C, V on a graded cell. nbgrader by itself then stops grading the class."""
    nb["cells"].append(nb["cells"][-1] | {"id": "0a1b2c3d"})


def metadata_stripped(nb):
    for cell in nb["cells"]:
        cell["metadata"] = {}


def cells_deleted(nb):
    """All but the answer."""
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] == "total"]


DAMAGES = {"copied": cell_copied, "stripped": metadata_stripped, "deleted": cells_deleted}

# student: (what the solution cell holds, points of check, points of race; None: not graded)
SUBMISSIONS = {
    "reference": (REFERENCE, 4, 6),
    "warns": (WARNS, 4, 6),
    "starter": (STARTER, 4, 0),
    "wrong": (WRONG, 0, 0),
    "half-right": (HALF_RIGHT, 4, 3),
    "noisy": (NOISY, 4, None),
    **{student: (REFERENCE, 4, 6) for student in DAMAGES},
}


def nbgrader(folder, *arguments):
    """Run the command line of nbgrader in `folder`, in this process."""
    with contextlib.chdir(folder):
        app = NbGraderApp.instance()
        try:
            app.initialize(list(arguments))
            # Raised when a subcommand has ended.
            with contextlib.suppress(NoStart):
                app.start()
        finally:
            app.reset()
            NbGraderApp.clear_instance()


def released(root):
    return (root / "notebooks" / NAME / f"{NAME}.ipynb").read_bytes()


class FixtureReferee:
    """Takes the scores of the fixture's own exercise, whose points follow from the answer alone."""

    def __init__(self, released, *, sandboxed):
        self.released, self.sandboxed = released, sandboxed
        self.cells = {"01-sum/total": {"check": "total-check", "race": "total-race"}}

    def grade(self, exercise, answers):
        scores = {call.part: call.score() for call in notebook.load(self.released, answers)}
        return Grading(exercise, scores, [], [], 0.0, {})

    def close(self):
        pass


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return the root of a course whose submissions have gone all the way."""
    if why := obstacle():
        pytest.skip(why)
    root = tmp_path_factory.mktemp("course")
    source = write_course(root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    # A clone of the repository has notebooks/ and no gradebook.
    release(root)
    (root / "var" / "released.ipynb").write_bytes(released(root))
    # The instructor has had a look at the source in JupyterLab.
    nb = notebook.read(source)
    nb["metadata"]["language_info"]["version"] = "3.11.7"
    nb["cells"][0]["metadata"]["scrolled"] = True
    source.write_text(json.dumps(nb))
    nbgrader(root, "generate_assignment", NAME, "--force")
    nbgrader(root, "release_assignment", NAME)
    exchange = [f"--course={COURSE}", f"--Exchange.root={root / 'var' / 'exchange'}"]
    for student, (source, *_) in SUBMISSIONS.items():
        home = tmp_path_factory.mktemp(student)
        nbgrader(home, "fetch_assignment", NAME, *exchange)
        path = home / NAME / f"{NAME}.ipynb"
        path.write_text(with_solution(path, source))
        if student in DAMAGES:
            nb = json.loads(path.read_text())
            DAMAGES[student](nb)
            path.write_text(json.dumps(nb))
        (home / NAME / "helpers.py").write_text("raise RuntimeError('a module that was edited')")
        cache = f"--Exchange.cache={home / 'cache'}"
        nbgrader(home, "submit", NAME, f"--student={student}", cache, *exchange)
    nbgrader(root, "collect", NAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "Referee", FixtureReferee)
        nbgrader(root, "autograde", NAME)
    nbgrader(root, "generate_feedback", NAME)
    nbgrader(root, "export", f"--to={root / 'var' / 'grades.csv'}")
    return root


def test_the_instructors_command_changes_nothing_in_the_release(course):
    assert released(course) == (course / "var" / "released.ipynb").read_bytes()
    assert sorted(path.name for path in (course / "notebooks" / NAME).iterdir()) == [
        f"{NAME}.ipynb",
        "helpers.py",
    ]


def test_everything_else_is_made_in_var(course):
    assert sorted(os.listdir(course)) == [
        "nbgrader_config.py", "notebooks", "solutions", "var",
    ]  # fmt: skip
    assert {"gradebook.db", "submitted", "autograded", "feedback", "nbgrader.log"} <= set(
        os.listdir(course / "var")
    )


def test_the_exported_points(course):
    with open(course / "var" / "grades.csv", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {student: row["score"] for student, row in rows.items()} == {
        student: "" if race is None else f"{check + race:.1f}"
        for student, (_, check, race) in SUBMISSIONS.items()
    }
    assert [(name, row["open"]) for name, row in rows.items() if row["open"]] == [
        ("noisy", "total-race")
    ]
    assert {row["max_score"] for row in rows.values()} == {"10.0"}
    assert all(row["timestamp"] for row in rows.values())


@pytest.mark.parametrize("student", SUBMISSIONS)
def test_the_gradebook_tells_what_is_graded(course, student):
    _, check, race = SUBMISSIONS[student]
    with Gradebook(f"sqlite:///{course / 'var' / 'gradebook.db'}") as gradebook:
        grades = gradebook.find_submission_notebook(NAME, NAME, student).grades
        found = {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}
    assert found == {"total-check": (check, False), "total-race": (race, race is None)}


@pytest.mark.parametrize("student", SUBMISSIONS)
def test_the_cards_are_kept(course, student):
    _, check, _ = SUBMISSIONS[student]
    outcome = "passed" if check else "wrong answer"
    page = (course / "var" / "feedback" / student / NAME / f"{NAME}.html").read_text()
    assert f'<div style="color: teal">card says {outcome}</div>' in page
    graded = course / "var" / "autograded" / student / NAME / f"{NAME}.ipynb"
    cells = json.loads(graded.read_text())["cells"]
    cell = next(cell for cell in cells if cell["id"] == "total-check")
    [card] = [o["data"] for o in cell["outputs"] if o["output_type"] == "execute_result"]
    assert card[MIME]["outcome"] == outcome
    assert "card says" in "".join(card["text/html"])


def test_only_an_open_verdict_says_that_it_is_not_graded(course):
    pages = {
        path.parent.parent.name: path.read_text()
        for path in (course / "var" / "feedback").rglob("*.html")
    }
    assert sorted(pages) == sorted(SUBMISSIONS)
    assert [student for student, page in pages.items() if "Not graded yet" in page] == ["noisy"]
    assert "card says inconclusive" in pages["noisy"]


def test_a_repair_is_told(course):
    pages = course / "var" / "feedback"
    told = [
        path.parent.parent.name
        for path in pages.rglob("*.html")
        if "was put back" in path.read_text()
    ]
    assert told == ["deleted"]
