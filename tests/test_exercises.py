"""Every exercise of the course: the reference gets all, the starter nothing, wrong fixes theirs."""

import ast
from pathlib import Path

import pytest

from grader import cli, notebook
from grader.compare import difference
from grader.notebook import GradedCall

NOTEBOOKS = {path.stem: path for path in cli.solutions()}
WRONG_FIXES = sorted(Path(__file__).with_name("wrong_fixes").glob("*/*.py"))
FULL = ("passed", "not measurable here")
MEASURED = {"passed", "short of the goal", "slower"}


def solution_cells(name: str) -> dict[str, str]:
    return notebook.solution_cells(notebook.read(NOTEBOOKS[name]))


def is_raced(name: str, cell: str = "") -> bool:
    """Whether a clock judges an exercise of the notebook, or that of one solution cell."""
    return f"{cell}-race" in NOTEBOOKS[name].read_text()


def timed(*values, when: bool, name: str = ""):
    marks = [pytest.mark.timing] if when else []
    return pytest.param(*values, marks=marks, id=name or "-".join(values))


CELLS = [
    timed(name, cell, when=is_raced(name, cell))
    for name in NOTEBOOKS
    for cell in solution_cells(name)
]


def graded(name: str, cell: str | None = None, source: str | None = None) -> list[GradedCall]:
    """The graded cells of a notebook, or those of one solution cell with another source."""
    calls = notebook.load(NOTEBOOKS[name], solution={cell: source} if source else None)
    if cell is None:
        return calls
    return [call for call in calls if call.grade_id.removesuffix(f"-{call.part}") == cell]


def score(call: GradedCall):
    """The score, after a second try where the machine was too busy to tell."""
    first = call.score()
    return call.score() if first.outcome == "inconclusive" else first


@pytest.mark.parametrize("name", [timed(name, when=is_raced(name)) for name in NOTEBOOKS])
def test_the_reference_earns_every_point(name):
    for call in graded(name):
        result = score(call)
        assert result.outcome in FULL, f"{call.grade_id}\n{result}"
        assert result == call.points == result.maximum


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_starter_is_not_attempted(name):
    starters = {cell: notebook.starter(text) for cell, text in solution_cells(name).items()}
    for call in notebook.load(NOTEBOOKS[name], solution=starters):
        result = call.score()
        assert (result.outcome, result) == ("not attempted", 0), f"{call.grade_id}\n{result}"


WARNING = """
import functools as _functools
import sys as _sys
import warnings as _warnings


def _with_warnings(function):
    @_functools.wraps(function)
    def noisy(*arguments, **keywords):
        _warnings.warn("a learner's warning")
        print("a line on stderr", file=_sys.stderr)
        return function(*arguments, **keywords)

    return noisy


{name} = _with_warnings({name})
"""


@pytest.mark.parametrize(("name", "cell"), CELLS)
def test_a_warning_on_stderr_costs_nothing(name, cell, capfd):
    for call in graded(name, cell):
        function = call.fix.__name__
        source = solution_cells(name)[cell] + WARNING.format(name=function)
    for call in graded(name, cell, source):
        capfd.readouterr()
        result = score(call)
        assert result.outcome in FULL, f"{call.grade_id}\n{result}"
        assert capfd.readouterr().err == ""


def wrong_fix(path: Path) -> dict:
    """The capital names that the file assigns."""
    statements = ast.parse(path.read_text()).body
    return {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in statements
        if isinstance(statement, ast.Assign)
    }


def runs_a_race(path: Path) -> bool:
    race = wrong_fix(path).get("RACE", ())
    return not {"inconclusive", *MEASURED}.isdisjoint([race] if isinstance(race, str) else race)


@pytest.mark.parametrize(
    "path",
    [
        timed(path, when=runs_a_race(path), name=f"{path.parent.name}/{path.stem}")
        for path in WRONG_FIXES
    ],
)
def test_a_wrong_fix_is_refused_for_its_own_reason(path):
    expected = wrong_fix(path)
    calls = graded(path.parent.name, expected["EXERCISE"], expected["CELL"])
    assert calls, "EXERCISE names no solution cell"
    points = 0.0
    for call in calls:
        result = score(call)
        allowed = expected[call.part.upper()]
        allowed = (allowed,) if isinstance(allowed, str) else allowed
        if len(MEASURED.intersection(allowed)) > 1:  # a speed near the goal: the race may stay open
            allowed += ("inconclusive",)
        assert result.outcome in allowed, f"{call.grade_id}\n{result}"
        points += result
    assert points <= expected["POINTS"]
    assert expected["POINTS"] < sum(call.points for call in calls)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_exercise_has_wrong_fixes(name):
    for cell in solution_cells(name):
        own = [p for p in WRONG_FIXES if p.parent.name == name]
        assert sum(wrong_fix(path)["EXERCISE"] == cell for path in own) >= 2


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_right_answers_are_far_within_the_tolerance(name):
    """A reference must not fail for rounding: a tenth of the tolerance holds on many seeds."""
    for call in graded(name):
        exercise = call.exercise
        if call.part != "check" or exercise.answer is None or exercise.expected is not None:
            continue
        with call.in_use():
            slow, fix = exercise.use(exercise.slow), exercise.use(call.fix)
            for seed in range(40):
                right = exercise.answer(slow(*exercise.case(seed)))
                given = exercise.answer(fix(*exercise.case(seed)))
                assert difference(right, given, exercise.tolerance / 10) is None, f"seed {seed}"
