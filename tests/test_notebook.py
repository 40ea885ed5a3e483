"""The canonical form, what is wrong with a notebook, and running its exercises outside Jupyter."""

import ast
import copy
import inspect
import json
import pickle
import sys
import traceback
import types

import nbformat
import pytest
from fixture_course import (
    HALF_RIGHT,
    MODULE,
    REFERENCE,
    ROOT,
    SOLUTION,
    STARTER,
    source_notebook,
    write_course,
)

from grader import notebook

SOURCES = sorted((ROOT / "solutions").glob("*/*.ipynb"))


@pytest.fixture
def path(tmp_path):
    return write_course(tmp_path)


@pytest.fixture
def nb(path):
    return notebook.read(path)


# ---- canonical form ----------------------------------------------------------------------------


def test_the_canonical_form_is_what_nbformat_writes():
    nb = source_notebook()
    nb.cells[0].source = "é “quotes”\r\n\x0c form feed\u2028line separator\n\n  end"
    assert notebook.canonical(nb) == (nbformat.writes(nb) + "\n").encode()


def test_canonical_again_changes_nothing(path):
    once = notebook.canonical(notebook.read(path))
    assert notebook.canonical(json.loads(once)) == once
    assert notebook.canonical(notebook.parse(once, path)) == once


def test_what_a_session_in_jupyterlab_leaves_is_dropped(nb):
    clean = notebook.canonical(nb)
    used = copy.deepcopy(nb)
    used["nbformat_minor"] = 4
    used["metadata"]["language_info"]["version"] = "3.11.7"
    used["metadata"]["widgets"] = {"state": {}}
    for cell in used["cells"]:
        cell["metadata"] |= {"collapsed": True, "editable": True, "execution": {"busy": "12:00"}}
        cell["source"] += "\n\n"
        if cell["cell_type"] == "code":
            cell["execution_count"] = 3
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "secret"}]
    used["cells"][-1]["metadata"]["nbgrader"]["points"] = 6.0
    used["cells"][-1]["id"] = "6f3b0a52"
    assert used != nb
    assert notebook.canonical(used) == clean


def test_what_the_course_uses_is_kept(nb):
    cell = nb["cells"][3]
    cell["metadata"] |= {"deletable": False, "editable": False, "grader": {"cores": 2}}
    kept = json.loads(notebook.canonical(nb))["cells"][3]
    assert kept["metadata"] == cell["metadata"]
    assert kept["id"] == "exercise"
    assert "".join(kept["source"]) == cell["source"]


def test_a_notebook_is_written_whole_or_not_at_all(path, nb):
    before = path.read_bytes()
    nb["cells"].append({"cell_type": "code"})
    with pytest.raises(KeyError):
        notebook.write(path, nb)
    assert path.read_bytes() == before
    del nb["cells"][-1]
    nb["cells"][0]["source"] = "# Another title"
    notebook.write(path, nb)
    assert notebook.read(path) == nb
    assert list(path.parent.glob("*01-sum*")) == [path]


@pytest.mark.parametrize("content", [b"not json", b"[]", b'{"nbformat": 3, "worksheets": []}'])
def test_another_file_is_refused_by_name(tmp_path, content):
    path = tmp_path / "other.ipynb"
    path.write_bytes(content)
    with pytest.raises(notebook.NotebookError, match="other.ipynb is not a notebook"):
        notebook.read(path)


# ---- problems ----------------------------------------------------------------------------------


def test_a_good_notebook_has_no_problems(nb):
    assert notebook.problems(nb) == []


def _set(*keys, value):
    """Return a change of a notebook: `value` at the path `keys`, None meaning that it goes."""

    def change(nb):
        place = nb
        for key in keys[:-1]:
            place = place[key]
        if value is None:
            del place[keys[-1]]
        else:
            place[keys[-1]] = value

    return change


_CHECK = ("cells", 6)
_NBGRADER = (*_CHECK, "metadata", "nbgrader")

PROBLEMS = {
    "an older format": (_set("nbformat_minor", value=4), "the notebook has format 4.4, not 4.5"),
    "another kernel": (
        _set("metadata", "kernelspec", "name", value="colab"),
        "the notebook's kernelspec is not",
    ),
    "unknown metadata": (
        _set("metadata", "colab", value={}),
        "the notebook has unknown metadata 'colab'",
    ),
    "unknown cell metadata": (
        _set("cells", 3, "metadata", "scrolled", value=True),
        "cell 4 (exercise) has unknown metadata 'scrolled'",
    ),
    "no id": (_set("cells", 3, "id", value=None), "cell 4 has no id"),
    "an id that is not the grade_id": (
        _set(*_CHECK, "id", value="check"),
        "cell 7 (check) has another id than its grade_id, 'total-check'",
    ),
    "an id in camel case": (
        _set("cells", 3, "id", value="theExercise"),
        "cell 4 (theExercise) needs a readable id in kebab-case, such as 'slow-epoch'",
    ),
    "an id of nbformat's": (
        _set("cells", 3, "id", value="6f3b0a52"),
        "cell 4 (6f3b0a52) needs a readable id in kebab-case, such as 'slow-epoch'",
    ),
    "an id of JupyterLab's": (
        _set("cells", 3, "id", value="0f8fad5b-d9cb-469f-a165-70867728950e"),
        "cell 4 (0f8fad5b-d9cb-469f-a165-70867728950e) needs a readable id",
    ),
    "the same id twice": (
        _set("cells", 3, "id", value="score"),
        "cell 4 (score) has an id that an earlier cell has",
    ),
    "outputs": (
        _set("cells", 3, "outputs", value=[{"output_type": "error"}]),
        "cell 4 (exercise) has outputs or an execution count",
    ),
    "an execution count": (
        _set("cells", 3, "execution_count", value=1),
        "cell 4 (exercise) has outputs or an execution count",
    ),
    "an attachment": (
        _set("cells", 0, "attachments", value={"a.png": {}}),
        "cell 1 (title) has an attachment; draw pictures by code",
    ),
    "blank lines at the end": (
        _set("cells", 3, "source", value="exercise = 1\n\n"),
        "cell 4 (exercise) ends in blank lines or spaces",
    ),
    "hidden tests": (
        _set("cells", 3, "source", value="### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS"),
        "cell 4 (exercise) has hidden tests",
    ),
    "an older nbgrader": (
        _set(*_NBGRADER, "schema_version", value=2),
        "cell 7 (total-check) has nbgrader metadata of another schema_version than 3",
    ),
    "not locked": (
        _set(*_NBGRADER, "locked", value=False),
        "cell 7 (total-check) is graded and not locked",
    ),
    "another total": (
        _set(*_NBGRADER, "points", value=3),
        "the graded cells add up to 9 points, not 10",
    ),
    "no parameters": (
        _set("cells", 1, "metadata", "tags", value=[]),
        "no cells are tagged 'parameters'; there must be one",
    ),
    "parameters twice": (
        _set("cells", 2, "metadata", "tags", value=["task", "parameters"]),
        "2 cells are tagged 'parameters'; there must be one",
    ),
    "a graded cell without its call": (
        _set(*_CHECK, "source", value="total(3)"),
        "cell 7 (total-check) must be one expression, such as 'exercise.check(epoch)'",
    ),
    "a graded cell that is not Python": (
        _set(*_CHECK, "source", value="exercise.check("),
        "cell 7 (total-check) is not Python",
    ),
}


@pytest.mark.parametrize("change, sentence", PROBLEMS.values(), ids=PROBLEMS.keys())
def test_each_problem_is_named(nb, change, sentence):
    change(nb)
    found = notebook.problems(nb)
    assert len(found) == 1, found
    assert found[0].startswith(sentence)


def test_points_must_be_whole(nb):
    _set(*_NBGRADER, "points", value=3.5)(nb)
    assert notebook.problems(nb) == [
        "cell 7 (total-check) has 3.5 points; they must be a whole number",
        "the graded cells add up to 9.5 points, not 10",
    ]


# ---- solution cells ----------------------------------------------------------------------------


def test_the_starter_is_what_the_learner_sees():
    assert notebook.starter(SOLUTION) == STARTER


def test_the_reference_is_the_cell_without_the_starter():
    assert notebook.reference(SOLUTION) == REFERENCE


def test_a_solution_inside_a_function_keeps_its_indentation():
    source = (
        "def f(x):\n    ### BEGIN SOLUTION\n    ### BEGIN STARTER\n    # if x:\n    #     x = 1\n"
        "    ### END STARTER\n    x = bool(x)\n    ### END SOLUTION\n    return x"
    )
    assert notebook.starter(source) == "def f(x):\n    if x:\n        x = 1\n    return x"
    assert notebook.reference(source) == "def f(x):\n    x = bool(x)\n    return x"


B, E = "### BEGIN SOLUTION\n", "### END SOLUTION\n"
BS, ES = "### BEGIN STARTER\n", "### END STARTER\n"


@pytest.mark.parametrize(
    "source, message",
    [
        ("x = 1", "needs '### BEGIN SOLUTION'"),
        (B + "x = 1\n" + E, "needs '### BEGIN SOLUTION' .* and in it '### BEGIN STARTER'"),
        (B + BS + ES, "no '### END SOLUTION'"),
        (B + BS + E + ES, "line 3 .* out of place"),
        (B + B + BS + ES + E, "line 2 .* out of place"),
        (BS + ES + B + E, "line 1 .* out of place"),
        (B + BS + "x = 1\n" + ES + E, "line 3 of the starter is not a comment: x = 1"),
        ("# BEGIN SOLUTION\n", "line 1 .* not quite a marker"),
        ("x = 1  ### BEGIN SOLUTION\n", "line 1 .* not quite a marker"),
    ],
)
def test_misplaced_markers_are_refused(source, message):
    with pytest.raises(notebook.NotebookError, match=message):
        notebook.starter(source)
    if "not a comment" not in message:
        with pytest.raises(notebook.NotebookError, match=message):
            notebook.reference(source)


# ---- running exercises outside Jupyter ---------------------------------------------------------


def test_the_graded_cells_are_called_with_the_reference(path):
    check, race = notebook.load(path)
    assert (check.grade_id, check.points, check.part) == ("total-check", 4, "check")
    assert (race.grade_id, race.points, race.part) == ("total-race", 6, "race")
    assert check.fix(10) == 45
    assert check.exercise is race.exercise
    assert (check.score(), race.score()) == (4, 6)
    assert check.score().card["outcome"] == "passed"


@pytest.mark.parametrize("source, points", [(STARTER, 4), (HALF_RIGHT, 7)])
def test_a_solution_may_be_given(path, source, points):
    assert sum(call.score() for call in notebook.load(path, {"total": source})) == points


def test_each_load_is_fresh(path):
    first, _ = notebook.load(path)
    second, _ = notebook.load(path, {"total": STARTER})
    assert first.exercise is not second.exercise
    assert "n * (n - 1)" in inspect.getsource(first.fix)
    assert "helpers.add" in inspect.getsource(second.fix)


def test_parameters_override_the_notebooks(path, nb):
    nb["cells"][3]["source"] += "\nused = (device, seed)"
    notebook.write(path, nb)
    for parameters, used in [(None, ("auto", 0)), ({"seed": 7}, ("auto", 7))]:
        check, _ = notebook.load(path, parameters=parameters)
        assert check.fix.__globals__["used"] == used


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"solution": {"totl": "x"}}, "no solution cell 'totl'; it has: total"),
        ({"parameters": {"sed": 1}}, "no parameter 'sed'"),
    ],
)
def test_unknown_names_are_refused(path, arguments, message):
    with pytest.raises(notebook.NotebookError, match=message):
        notebook.load(path, **arguments)


def test_an_answer_sees_the_task_and_cannot_change_what_the_task_sees(path, nb):
    nb["cells"][3]["source"] += "\nfive = 5\n\n\ndef task():\n    return five"
    notebook.write(path, nb)
    check, _ = notebook.load(path)
    answered = check.answered("total", "five += 1\n\n\ndef total(n):\n    return five + task()")
    assert answered.fix(0) == 6 + 5
    assert answered.exercise is check.exercise and check.fix(10) == 45
    assert vars(check.task)["five"] == 5
    assert pickle.loads(pickle.dumps(answered.fix)) is answered.fix
    with pytest.raises(ZeroDivisionError) as caught:
        check.answered("total", "1 / 0")
    assert caught.value.__notes__ == [f"in cell 'total' of {path.name}"]


def test_functions_of_a_notebook_can_be_pickled_and_have_their_source(path):
    check, _ = notebook.load(path)
    assert pickle.loads(pickle.dumps(check.fix)) is check.fix
    assert inspect.getsource(check.fix) == "def total(n):\n    return n * (n - 1) // 2\n"


def test_a_traceback_shows_the_line_and_the_cell(path):
    check, _ = notebook.load(path, {"total": "def total(n):\n    return n / 0  # here"})
    with pytest.raises(ZeroDivisionError) as caught:
        check.score()
    shown = "".join(traceback.format_exception(caught.value))
    assert "return n / 0  # here" in shown
    assert "cell total" in shown


def test_an_error_in_a_cell_names_the_cell(path):
    with pytest.raises(ZeroDivisionError) as caught:
        notebook.load(path, {"total": "1 / 0"})
    assert caught.value.__notes__ == ["in cell 'total' of 01-sum.ipynb"]


def test_two_notebooks_have_their_own_module_of_the_same_name(tmp_path):
    first = write_course(tmp_path, "01-sum")
    second = write_course(tmp_path, "02-sum")
    (second.parent / "helpers.py").write_text(MODULE + "\n\nhere = True\n")
    late = {"total": "def total(n):\n    import helpers\n    return hasattr(helpers, 'here')"}
    ours, _ = notebook.load(first, late)
    theirs, _ = notebook.load(second, late)
    # The import happens in the call, after the other notebook was loaded.
    ours.exercise.check = theirs.exercise.check = lambda fix: fix(0)
    assert (ours.score(), theirs.score(), ours.score()) == (False, True, False)
    assert "helpers" not in sys.modules
    assert str(first.parent) not in sys.path


def test_other_modules_keep_their_names(path, monkeypatch):
    other = types.ModuleType("helpers")
    monkeypatch.setitem(sys.modules, "helpers", other)
    assert [call.score() for call in notebook.load(path)] == [4, 6]
    assert sys.modules["helpers"] is other


def test_a_call_finds_the_modules_that_the_set_up_imported(path):
    late = "def total(n):\n    import helpers as again\n    return 45 * (again is helpers)"
    check, _ = notebook.load(path, {"total": late})
    assert check.score() == 4


@pytest.mark.parametrize("line", ["%matplotlib inline", "!ls", "%%time\nx = 1", "x = 1\n%time x"])
def test_lines_for_ipython_are_refused(path, nb, line):
    nb["cells"][3]["source"] = line
    notebook.write(path, nb)
    with pytest.raises(notebook.NotebookError, match=r"cell 'exercise' uses IPython's '[%!]"):
        notebook.load(path)


def test_a_string_may_look_like_a_line_for_ipython(path, nb):
    nb["cells"][3]["source"] += '\ntext = """\n%matplotlib inline\n!ls\n"""'
    notebook.write(path, nb)
    assert len(notebook.load(path)) == 2


@pytest.mark.parametrize(
    "source",
    [
        "exercise.grade(total)",
        "exercise.check(total, 1)",
        "exercise.check(fix=total)",
        "score = exercise.check(total)",
        "total(1)\nexercise.check(total)",
        "make().check(total)",
        "",
    ],
)
def test_another_graded_cell_is_refused(path, nb, source):
    nb["cells"][6]["source"] = source
    notebook.write(path, nb)
    with pytest.raises(notebook.NotebookError, match="must be one expression") as caught:
        notebook.load(path)
    assert caught.value.__notes__ == ["in cell 'total-check' of 01-sum.ipynb"]


def test_the_module_needs_the_standard_library_only():
    tree = ast.parse((ROOT / "grader" / "notebook.py").read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


# ---- the notebooks of the course ---------------------------------------------------------------


def test_the_course_has_notebooks():
    assert SOURCES


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
class TestSource:
    def test_is_in_canonical_form(self, source):
        assert source.read_bytes() == notebook.canonical(notebook.read(source))

    def test_has_no_problems(self, source):
        assert notebook.problems(notebook.read(source)) == []

    def test_has_a_starter_and_a_reference_that_differ(self, source):
        cells = notebook.solution_cells(notebook.read(source))
        assert cells
        for text in cells.values():
            views = [notebook.starter(text), notebook.reference(text)]
            assert ast.dump(ast.parse(views[0])) != ast.dump(ast.parse(views[1]))

    def test_loads_outside_jupyter(self, source):
        calls = notebook.load(source, parameters={"device": "cpu"})
        assert sum(call.points for call in calls) == 10
        assert all(callable(call.fix) for call in calls)
