"""Every notebook from top to bottom, as a learner runs it: solutions and releases, by papermill."""

import math
from pathlib import Path

import pytest

from grader import cli, notebook
from grader.execution import Execution, execute, scoreboard

SOLUTIONS = cli.solutions()
RELEASES = sorted(cli.COURSE.glob("notebooks/*/*.ipynb"))
LONGEST = 60  # seconds for a notebook on two cores


def executed(path: Path, monkeypatch) -> Execution:
    monkeypatch.delenv("MPLBACKEND", raising=False)  # pictures are drawn into the notebook
    # In the course's own var/, where one can look at it afterwards.
    output = cli.COURSE / "var" / "executed" / path.parent.parent.name / path.name
    done = execute(path, output, progress=False)
    print(scoreboard([done]))
    return done


def check_it_ran(done: Execution) -> None:
    assert not done.error
    assert done.maximum == 10
    cells = notebook.read(done.output)["cells"]
    for cell in cells:
        noise = [o for o in cell.get("outputs", []) if o.get("name") == "stderr"]
        assert not noise, f"cell {cell['id']} writes to stderr: {noise}"
    pictures = [o for c in cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})]
    assert pictures


@pytest.mark.timing
@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_a_solution_earns_every_point(path, monkeypatch):
    done = executed(path, monkeypatch)
    if any(score["outcome"] == "inconclusive" for score in done.scores.values()):
        done = executed(path, monkeypatch)
    check_it_ran(done)
    assert math.isclose(done.points, 10), scoreboard([done])
    assert done.seconds < LONGEST


def alone_if_it_needs_two_cores(path: Path):
    marks = [pytest.mark.timing] if "two cores" in path.read_text() else []
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", [alone_if_it_needs_two_cores(path) for path in RELEASES])
def test_a_release_runs_to_its_end_and_earns_nothing(path, monkeypatch):
    done = executed(path, monkeypatch)
    check_it_ran(done)
    assert {score["outcome"] for score in done.scores.values()} == {"not attempted"}
    assert done.points == 0
    assert done.seconds < LONGEST


def test_there_is_a_release_of_every_solution():
    assert [path.stem for path in RELEASES] == [path.stem for path in SOLUTIONS] != []


BROKEN = {
    "cells": [
        {"cell_type": "code", "id": "stops", "metadata": {}, "source": "raise ValueError('here')"}
    ]
}


def test_a_notebook_that_fails_is_reported_and_not_raised(tmp_path):
    path = tmp_path / "broken" / "broken.ipynb"
    path.parent.mkdir()
    notebook.write(path, BROKEN)
    done = execute(path, tmp_path / "out.ipynb", progress=False)
    assert "ValueError: here" in done.error
    assert "stopped" in scoreboard([done])


def test_a_cell_that_never_ends_is_stopped(tmp_path):
    path = tmp_path / "endless" / "endless.ipynb"
    path.parent.mkdir()
    cell = BROKEN["cells"][0] | {"source": "while True:\n    pass"}
    notebook.write(path, {"cells": [cell]})
    done = execute(path, tmp_path / "out.ipynb", timeout=2, progress=False)
    assert done.error
    assert done.seconds < 30
