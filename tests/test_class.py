"""A class of learners, careless and hostile, graded to its end."""

import csv
import hashlib
import json
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from browser import PROGRAM, Browser
from class_course import HACKED, NAME, PAGE, SUBMISSIONS, hand_in, learner, write_course
from fixture_course import ROOT
from nbgrader.api import Gradebook
from test_round_trip import nbgrader
from test_sandbox import is_sleeping

from grader.official import referee, sandbox, verdicts
from grader.official.autograde import autograde
from grader.official.bench import bench
from grader.release import release

pytestmark = [
    pytest.mark.timing,
    # nbgrader's own, for the first submission of each learner.
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]
QUICK = "\nget_config().ExecuteEveryCell.update(timeout=10, seconds_per_notebook=25)\n"


class Listener:
    """Somebody who would like to be called."""

    def __enter__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.calls = 0
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def _listen(self):
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            self.calls += 1
            connection.close()

    def __exit__(self, *_):
        self.server.close()


def contents(root):
    """A digest of every file that grading has no business to change."""
    places = ["solutions", "notebooks", "var/submitted", "nbgrader_config.py"]
    files = [file for place in places for file in [root / place, *(root / place).rglob("*")]]
    package = Path(sandbox.__file__).parents[1]
    files += package.rglob("*.py")
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()
    }


class Class:
    """The course's folder, what grading it printed, and what happened beside it."""

    def __init__(self, root, listener):
        self.root, self.listener = root, listener
        self.seconds = str(60000 + secrets.randbelow(9999))
        self.handed_in: dict[str, str] = {}

    def grade(self, **options):
        with pytest.MonkeyPatch.context() as patch:
            # What never ends should not take the test's time.
            patch.setattr(referee, "REPLY", 10.0)
            patch.setattr(referee, "START", 30.0)
            patch.setattr(sandbox, "MEMORY_BYTES", 2**31)
            patch.setattr(sandbox, "PROCESSES", 256)
            return autograde(self.root, NAME, **options)

    def verdict(self, student):
        return verdicts.read(verdicts.file_of(self.root, student, NAME))

    def points(self):
        nbgrader(self.root, "export", f"--to={self.root / 'var' / 'grades.csv'}")
        with open(self.root / "var" / "grades.csv", newline="") as file:
            rows = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
        return {student: float(score) if score else None for student, score in rows.items()}

    def page(self, student):
        return (self.root / "var" / "feedback" / student / NAME / f"{NAME}.html").read_text()


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class that has been graded."""
    if why := sandbox.obstacle():
        pytest.skip(why)
    root = tmp_path_factory.mktemp("course")
    write_course(root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    with open(root / "nbgrader_config.py", "a") as file:
        file.write(QUICK)
    release(root)
    nbgrader(root, "generate_assignment", NAME, "--force")
    with Listener() as listener:
        group = Class(root, listener)
        for path in SUBMISSIONS:
            hand_in(root, path, listener.port, group.seconds)
            nbgrader(root, "db", "student", "add", path.stem)
        group.handed_in = contents(root)
        group.in_need = group.grade()
        if any(verdicts.open_cells(group.verdict(path.stem)) for path in SUBMISSIONS):
            group.in_need = group.grade()
        nbgrader(root, "generate_feedback", NAME)
        yield group


def expected():
    return {path.stem: learner(path)["POINTS"] for path in SUBMISSIONS}


def test_every_learner_gets_their_points(graded):
    assert len(SUBMISSIONS) >= 30
    assert graded.points() == expected()
    needs_a_person = [score for score in expected().values() if score is None]
    assert graded.in_need == len(needs_a_person)


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_every_learner_is_told(graded, path):
    said, page = learner(path), graded.page(path.stem)
    assert said.get("SAYS", "") in page
    assert "total-check" in page and "total-race" in page
    assert ("Not graded yet" in page) == (said["POINTS"] is None)


def test_nothing_but_the_grades_has_changed(graded):
    renamed = f"{graded.root}/var/submitted/renamed/{NAME}/{NAME}.ipynb"
    after = contents(graded.root)
    after.pop(renamed)  # the copy under the name that was expected
    assert after == graded.handed_in
    assert sorted(path.name for path in graded.root.iterdir()) == [
        "nbgrader_config.py", "notebooks", "solutions", "var",
    ]  # fmt: skip
    with Gradebook(f"sqlite:///{graded.root / 'var' / 'gradebook.db'}") as gradebook:
        grades = [
            grade
            for path in SUBMISSIONS
            for grade in gradebook.find_submission_notebook(NAME, NAME, path.stem).grades
        ]
        assert {grade.manual_score for grade in grades} == {None}


def test_nobody_was_called_and_nothing_runs_on(graded):
    assert graded.listener.calls == 0
    assert not is_sleeping(graded.seconds)


def test_no_page_holds_what_a_learner_meant_to_run(graded):
    for path in SUBMISSIONS:
        page = graded.page(path.stem)
        assert f"<script>{HACKED}" not in page, path.stem
        assert "<img src='http" not in page, path.stem


def test_what_a_verdict_rests_on_is_kept(graded):
    evidence = graded.verdict("right")["exercises"]["01-total/total"]
    assert evidence["sandbox"].startswith("bubblewrap")
    assert "torch" in evidence["versions"] and "cores" in evidence["device"]
    assert len(evidence["seeds"]) == 4  # three answers, and the counts
    race = evidence["races"][-1]
    assert race["decision"] == "reached" and len(race["heats"]) >= 12


def test_grading_again_does_only_what_has_changed(graded, capsys):
    before = {path.stem: graded.verdict(path.stem) for path in SUBMISSIONS}
    path = graded.root / "var" / "submitted" / "wrong_answer" / NAME / f"{NAME}.ipynb"
    text = path.read_text()
    path.chmod(0o644)
    path.write_text(text.replace("numbers[1:].sum()", "numbers[2:].sum()"))
    graded.grade(student="[rw]*")
    printed = capsys.readouterr().out
    after = {path.stem: graded.verdict(path.stem) for path in SUBMISSIONS}
    changed = {student for student in before if before[student] != after[student]}
    assert changed == {"wrong_answer"}
    assert "right: 10 points (unchanged)" in printed
    path.write_text(text)
    graded.grade(student="wrong_answer")


def test_a_verdict_that_is_open_is_left_to_a_person_and_measured_again(graded, monkeypatch, capsys):
    race = referee.race.race

    def inconclusive(*arms, **options):
        return replace(race(*arms, **options), decision="inconclusive")

    monkeypatch.setattr(referee.race, "race", inconclusive)
    assert graded.grade(student="right", again=True) == 1
    printed = capsys.readouterr().out
    assert "1 of 1 need a person" in printed and "total-race: " in printed
    assert graded.points()["right"] is None
    monkeypatch.undo()
    assert graded.grade(student="r*", retry=True) == 0
    assert "[1/1] right: 10 points" in capsys.readouterr().out
    assert graded.points()["right"] == 10


def test_the_benchmark_of_grading(tmp_path, capsys):
    write_course(tmp_path)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    bench(tmp_path, [NAME], submissions=1)
    printed = capsys.readouterr().out
    assert "official" in printed and "points [10.0]" in printed


# ---- in a real browser ---------------------------------------------------------------------------

HOSTILE = ["script_in_a_message", "script_in_a_note", "script_in_an_error", "script_in_an_output"]


@pytest.fixture(scope="module")
def browser():
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"{PROGRAM} is not installed (Debian: apt install chromium)")
    with Browser() as opened:
        yield opened


def test_the_browser_would_notice(browser, graded, tmp_path):
    """Otherwise the next two tests could not fail."""
    page = PAGE.replace("{{PORT}}", str(graded.listener.port))
    (tmp_path / "page.html").write_text(f"<html><body>as it was{page}</body></html>")
    calls = graded.listener.calls
    opened = browser.open(f"file://{tmp_path}/page.html")
    assert "hacked" in opened.text and "as it was" not in opened.text
    assert graded.listener.calls > calls


@pytest.mark.parametrize("student", HOSTILE)
def test_a_feedback_page_runs_and_loads_nothing(browser, graded, student):
    path = graded.root / "var" / "feedback" / student / NAME / f"{NAME}.html"
    opened = browser.open(f"file://{path}")
    assert "of 6 points" in opened.text
    assert opened.requests == [f"file://{path}"]


@pytest.fixture(scope="module")
def server(graded):
    """JupyterLab's server with nbgrader's formgrader; its address, without the last slash."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "server", f"--port={port}", "--no-browser"]
    command += ["--IdentityProvider.token=token", "--allow-root", "--ServerApp.port_retries=0"]
    with subprocess.Popen(
        command, cwd=graded.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{address}/api/status?token=token").close()
                break
            except OSError:
                assert time.monotonic() < deadline and process.poll() is None
                time.sleep(0.3)
        yield address
        process.terminate()


@pytest.mark.parametrize("student", HOSTILE)
def test_formgrader_shows_a_hostile_submission_and_runs_none_of_it(
    browser, graded, server, student
):
    with Gradebook(f"sqlite:///{graded.root / 'var' / 'gradebook.db'}") as gradebook:
        number = gradebook.find_submission_notebook(NAME, NAME, student).id
    calls = graded.listener.calls
    opened = browser.open(f"{server}/formgrader/submissions/{number}/?token=token")
    assert "of 6 points" in opened.text
    assert "total_slow" in opened.text  # the whole notebook, and nothing in its place
    assert opened.requests and all(url.startswith(server) for url in opened.requests)
    assert graded.listener.calls == calls


def test_formgraders_button_asks_the_referee_too(graded, server):
    file = verdicts.file_of(graded.root, "right", NAME)
    file.unlink()
    request = urllib.request.Request(
        f"{server}/formgrader/api/submission/{NAME}/right/autograde",
        data=b"{}",
        headers={"Authorization": "token token"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        assert json.load(answer)["success"]
    assert graded.verdict("right")["cells"]["total-check"]["outcome"] == "passed"
    assert file.exists()
