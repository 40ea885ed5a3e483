"""The points that nbgrader gives to what a graded cell ends in, after this course's steps."""

import pytest
from fixture_course import graded, tagged
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader import utils
from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, Execute
from traitlets.config import Config

from grader import nbgrader_plugins
from grader.nbgrader_plugins import ExecuteEveryCell, OpenVerdicts, StrictScore

MAXIMUM = 2
NO_SCORE = "NoScore"

# name: (source, tags, points of 2, name of the error that the learner is shown)
ROWS = {
    "every point": ("2.0", [], 2, None),
    "a whole number": ("2", [], 2, None),
    "some points": ("1.5", [], 1.5, None),
    "no points": ("0.0", [], 0, None),
    "printed text": ("print('3.0'); 1.5", [], 1.5, None),
    "a float subclass": ("type('Score', (float,), {'__repr__': float.__repr__})(2)", [], 2, None),
    "a warning": ("import warnings; warnings.warn('careful'); 2.0", [], 2, None),
    "a log record": ("import logging; logging.warning('careful'); 1.5", [], 1.5, None),
    "a progress bar": ("import sys; sys.stderr.write('50%\\r'); 0.5", [], 0.5, None),
    "a process on stderr": ("import os; os.write(2, b'oops'); 2.0", [], 2, None),
    "more than the maximum": ("2.5", [], 0, NO_SCORE),
    "infinity": ("float('inf')", [], 0, NO_SCORE),
    "less than nothing": ("-1.0", [], 0, NO_SCORE),
    "not a number": ("float('nan')", [], 0, NO_SCORE),
    "a NumPy number": ("import numpy; numpy.float64(1.0)", [], 0, NO_SCORE),
    "a tensor": ("import torch; torch.tensor(1.)", [], 0, NO_SCORE),
    "a tensor's number": ("import torch; torch.tensor(1.).item()", [], 1, None),
    "None": ("None", [], 0, NO_SCORE),
    "False": ("False", [], 0, NO_SCORE),
    "True": ("True", [], 0, NO_SCORE),
    "a string": ("'2.0'", [], 0, NO_SCORE),
    "a list": ("[2.0]", [], 0, NO_SCORE),
    "an assignment": ("score = 2.0", [], 0, NO_SCORE),
    "a semicolon": ("2.0;", [], 0, NO_SCORE),
    "a display": ("display(2.0)", [], 0, NO_SCORE),
    "an empty cell": ("", [], 0, NO_SCORE),
    "an error": ("1 / 0", [], 0, "ZeroDivisionError"),
    "an error after a display": ("display(2.0); 1 / 0", [], 0, "ZeroDivisionError"),
    "an exit": ("raise SystemExit", [], 0, "SystemExit"),
    "a tag that skips": ("0.5", ["skip-execution"], 0.5, None),
    "a tag that allows errors": ("1 / 0", ["raises-exception"], 0, "ZeroDivisionError"),
}


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    config = Config()
    nbgrader_plugins.configure(config, tmp_path_factory.mktemp("course") / "nbgrader_config.py")
    return config


@pytest.fixture(scope="module")
def executed(config):
    """Return the graded cells of `ROWS`, executed and prepared as for the gradebook."""
    cells = []
    for number, (source, tags, *_) in enumerate(ROWS.values()):
        cell = graded(f"cell-{number}", MAXIMUM, source)
        cell.metadata["tags"] = tags
        cells.append(cell)
    nb = new_notebook(cells=[tagged("set-up", "task", "import torch, numpy"), *cells])
    resources = {"metadata": {"path": ""}, "nbgrader": {}}
    needs_a_gradebook = (OpenVerdicts, AssignLatePenalties)
    for step in config.Autograde.autograde_preprocessors:
        if step not in (*needs_a_gradebook, CheckCellMetadata):
            nb, resources = step(config=config)(nb, resources)
    return dict(zip(ROWS, nb.cells[1:], strict=True))


@pytest.mark.parametrize("name", ROWS)
def test_points(executed, name):
    *_, points, error = ROWS[name]
    cell = executed[name]
    assert utils.determine_grade(cell) == (points, MAXIMUM)
    shown = [output.ename for output in cell.outputs if output.output_type == "error"]
    assert shown == ([error] if error else [])


def test_the_reason_is_readable(executed):
    for name, ends_in in [("a tensor", "'tensor(1.)'"), ("an assignment", "nothing")]:
        [error] = [o for o in executed[name].outputs if o.output_type == "error"]
        assert error.evalue.startswith(f"the graded cell ends in {ends_in}, not in ")
        assert "from 0 to 2" in error.evalue
        assert error.evalue in error.traceback[0]


def test_what_the_cell_returned_is_still_shown(executed):
    [shown] = [o for o in executed["a tensor"].outputs if o.output_type == "display_data"]
    assert shown.data["text/plain"] == "tensor(1.)"


def _result(text):
    return new_output("execute_result", {"text/plain": text}, execution_count=1)


_ERROR = {"ename": "KeyboardInterrupt", "evalue": "", "traceback": []}


@pytest.mark.parametrize(
    "outputs",
    [[_result("2.0"), new_output("error", **_ERROR)], [_result("2.0"), _result("0.0")]],
    ids=["an error after the result", "two results"],
)
def test_the_first_result_does_not_win(outputs):
    cell = graded("cell", MAXIMUM, "2.0")
    cell.outputs = outputs
    assert utils.determine_grade(cell) == (MAXIMUM, MAXIMUM)  # nbgrader alone
    nb, _ = StrictScore()(new_notebook(cells=[cell]), {})
    assert utils.determine_grade(nb.cells[0]) == (0, MAXIMUM)


def test_other_cells_are_left_alone():
    cell = new_code_cell("x", outputs=[_result("tensor(1.)")])
    nb, _ = StrictScore()(new_notebook(cells=[cell]), {})
    assert [output.output_type for output in nb.cells[0].outputs] == ["execute_result"]


def test_settings_for_grading_do_not_reach_the_learners_validation(config):
    assert Execute(config=config).skip_cells_with_tag == "skip-execution"
    assert ExecuteEveryCell(config=config).skip_cells_with_tag == ""
    assert Execute(config=config).timeout == ExecuteEveryCell(config=config).timeout == 120


def run(config, *sources, **limits):
    """The executed cells of a submission: each source once in a graded cell of 2 points."""
    cells = [graded(f"cell-{n}", MAXIMUM, source) for n, source in enumerate(sources)]
    limited = Config(config, ExecuteEveryCell=Config(limits))
    execute = ExecuteEveryCell(config=limited)
    nb, resources = execute(new_notebook(cells=cells), {"metadata": {"path": ""}})
    StrictScore(config=config)(nb, resources)
    errors = [[o.ename for o in cell.outputs if o.output_type == "error"] for cell in nb.cells]
    return [utils.determine_grade(cell)[0] for cell in nb.cells], errors


def test_a_kernel_that_dies_keeps_the_points_before_it(config):
    points, errors = run(config, "2.0", "import os; os._exit(0)", "2.0")
    assert points == [2, 0, 0]
    assert errors == [[], ["KernelDied"], ["NotRun"]]


def test_a_cell_that_never_ends_costs_its_own_points(config):
    points, errors = run(config, "2.0", "while True: pass", "2.0", timeout=2)
    assert points == [2, 0, 2]
    assert "CellTimeoutError" in errors[1]


def test_a_notebook_ends_when_its_time_is_up(config):
    sources = ("2.0", "while True: pass", "2.0", "2.0")
    points, errors = run(config, *sources, seconds_per_notebook=5)
    assert points == [2, 0, 0, 0]
    assert errors[2:] == [["NotRun"], ["NotRun"]]
