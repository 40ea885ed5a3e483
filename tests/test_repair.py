"""Whatever learners and tools do to a notebook: the release with their answers is graded."""

import copy
from pathlib import Path

import pytest

from grader import notebook
from grader.official.repair import repair

NAME = "07-transfers-and-syncs"
PATH = Path(__file__).parent.parent / "notebooks" / NAME / f"{NAME}.ipynb"
RELEASED = notebook.read(PATH)
(ANSWER,) = notebook.solution_cells(RELEASED)
FUNCTION = "def evaluation(model, batches):\n    return 42"


@pytest.fixture
def submitted():
    """A submission whose answer is FUNCTION, and which is in order otherwise."""
    nb = copy.deepcopy(RELEASED)
    cell(nb, ANSWER)["source"] = FUNCTION
    return nb


def cell(nb, name):
    return next(cell for cell in nb["cells"] if cell["id"] == name)


def position(nb, name):
    return nb["cells"].index(cell(nb, name))


def own(source, kind="code", **metadata):
    return {"cell_type": kind, "id": "abcd1234", "metadata": metadata, "source": source}


def expected(answer=FUNCTION):
    nb = copy.deepcopy(RELEASED)
    cell(nb, ANSWER)["source"] = answer
    return nb


def test_a_submission_in_order_needs_no_repair(submitted):
    repaired = repair(submitted, RELEASED)
    assert repaired.notebook == expected()
    assert (repaired.answers, repaired.notes) == ({ANSWER: FUNCTION}, [])


def test_neither_notebook_is_changed(submitted):
    before = copy.deepcopy((submitted, RELEASED))
    repair(submitted, RELEASED)
    assert (submitted, RELEASED) == before


def without_metadata(nb):
    for each in nb["cells"]:
        each["metadata"] = {}


def without_ids(nb):
    for each in nb["cells"]:
        del each["id"]


def ids_in_metadata(nb):
    for each in nb["cells"]:
        each["metadata"] = {"id": each.pop("id")}


def reordered(nb):
    nb["cells"].reverse()


def points_raised(nb):
    for each in nb["cells"]:
        if "points" in each["metadata"].get("nbgrader", {}):
            each["metadata"]["nbgrader"]["points"] = 400


def skipped(nb):
    for each in nb["cells"]:
        each["metadata"].setdefault("tags", []).append("skip-execution")


def parameters_injected(nb):
    nb["cells"].insert(4, own('device = "cuda"', tags=["injected-parameters"]))


def outputs_kept(nb):
    for each in nb["cells"]:
        if each["cell_type"] == "code":
            each["outputs"] = [{"output_type": "stream", "name": "stderr", "text": "forged"}]


def retitled(nb):
    nb["metadata"] = {"kernelspec": {"name": "colab-gpu"}}


@pytest.mark.parametrize(
    "damage",
    [
        without_metadata,
        without_ids,
        ids_in_metadata,
        reordered,
        points_raised,
        skipped,
        parameters_injected,
        outputs_kept,
        retitled,
    ],
)
def test_what_no_learner_is_to_blame_for_is_repaired_silently(submitted, damage):
    damage(submitted)
    repaired = repair(submitted, RELEASED)
    assert (repaired.notebook, repaired.notes) == (expected(), [])


@pytest.mark.parametrize("name", ["evaluation-check", "set-up"])
def test_a_deleted_cell_of_the_task_is_put_back(submitted, name):
    del submitted["cells"][position(submitted, name)]
    repaired = repair(submitted, RELEASED)
    assert repaired.notebook == expected()
    (note,) = repaired.notes
    assert f"'{name}' was missing" in note


@pytest.mark.parametrize("name", ["evaluation-check", "set-up"])
def test_an_edited_cell_of_the_task_gets_its_own_text(submitted, name):
    cell(submitted, name)["source"] = "4.0"
    repaired = repair(submitted, RELEASED)
    assert repaired.notebook == expected()
    (note,) = repaired.notes
    assert f"'{name}' belongs to the task" in note


def test_edits_of_the_lesson_are_not_worth_a_note(submitted):
    cell(submitted, "slow-way")["source"] = "I understand."
    del submitted["cells"][position(submitted, "title")]
    assert repair(submitted, RELEASED).notes == []


def test_a_missing_answer_is_the_starter(submitted):
    del submitted["cells"][position(submitted, ANSWER)]
    repaired = repair(submitted, RELEASED)
    assert repaired.notebook == RELEASED
    assert repaired.answers == {}
    assert "is missing" in repaired.notes[0]


def test_an_answer_of_another_type_counts(submitted):
    cell(submitted, ANSWER)["cell_type"] = "markdown"
    repaired = repair(submitted, RELEASED)
    assert repaired.notebook == expected()
    assert "type" in repaired.notes[0]


def test_of_several_copies_the_last_above_the_graded_cell_counts(submitted):
    answer = position(submitted, ANSWER)
    second = copy.deepcopy(submitted["cells"][answer]) | {"source": "second", "id": "1f2e3d4c"}
    third = second | {"source": "third"}
    submitted["cells"].insert(answer + 1, second)
    submitted["cells"].append(third)
    repaired = repair(submitted, RELEASED)
    assert repaired.notebook == expected("second")
    assert "3 times" in repaired.notes[0]


def test_a_copied_graded_cell_is_left_out(submitted):
    copied = copy.deepcopy(cell(submitted, "evaluation-check")) | {"id": "0a1b2c3d"}
    submitted["cells"].append(copied)
    assert repair(submitted, RELEASED).notebook == expected()


def test_an_answer_without_a_name_is_found_by_what_it_defines(submitted):
    source = cell(RELEASED, ANSWER)["source"] + "\n# mine"
    submitted["cells"][position(submitted, ANSWER)] = own(source)
    repaired = repair(submitted, RELEASED)
    assert repaired.answers == {ANSWER: source}
    assert repaired.notebook == expected(source)
    assert "lost its name" in repaired.notes[0]


def test_cells_of_the_learner_stay_where_they_were_without_what_they_ask_for(submitted):
    forged = {"grade_id": "mine", "grade": True, "points": 10, "solution": False, "locked": True}
    place = position(submitted, ANSWER)
    submitted["cells"].insert(place, own("helper = 1", nbgrader=forged, tags=["skip-execution"]))
    submitted["cells"].insert(0, own("Notes", kind="markdown"))
    submitted["cells"].append(own("  \n"))
    repaired = repair(submitted, RELEASED)
    cells = repaired.notebook["cells"]
    assert cells[0] == {
        "cell_type": "markdown",
        "id": "own-1",
        "metadata": {},
        "source": "Notes",
    }
    helper = cells[position(repaired.notebook, ANSWER) - 1]
    assert (helper["source"], helper["metadata"], helper["id"]) == ("helper = 1", {}, "own-2")
    assert len(cells) == len(RELEASED["cells"]) + 2
    assert repaired.notes == []


@pytest.mark.parametrize("source", ["def evaluation(:", "def evaluation" + "(" * 10_000, "\0"])
def test_what_is_no_python_harms_nothing(submitted, source):
    submitted["cells"].insert(3, own(source))
    assert repair(submitted, RELEASED).answers == {ANSWER: FUNCTION}
