"""From solutions/ to notebooks/: what learners get, what they must not get, and failures."""

import sys
from pathlib import Path

import pytest
from fixture_course import MODULE, NAME, ROOT, STARTER, source_notebook, write_course

from grader import nbgrader_plugins, notebook
from grader.release import ReleaseError, release

RELEASED = sorted((ROOT / "notebooks").glob("*/*.ipynb"))


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of each file under `folder`."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def hidden_lines(source: dict, name: str) -> set[str]:
    """Return the lines of a reference that stand nowhere else in the notebook `source`."""
    text = notebook.solution_cells(source)[name]
    shown = notebook.starter(text)
    for cell in source["cells"]:
        if cell["source"] != text:
            shown += "\n" + cell["source"]
    return {line.strip() for line in notebook.reference(text).splitlines()} - {
        line.strip() for line in shown.splitlines()
    }


def leaks(source: dict, released: Path) -> list[str]:
    """Return what the folder `released` shows of the solutions in the notebook `source`."""
    markers = ["BEGIN SOLUTION", "END SOLUTION", "BEGIN STARTER", "END STARTER", "HIDDEN TESTS"]
    found = []
    for path in filter(Path.is_file, released.iterdir()):
        if path.suffix == ".ipynb":
            lines = [
                line for cell in notebook.read(path)["cells"] for line in cell["source"].split("\n")
            ]
        else:
            lines = path.read_text().split("\n")
        found += [line for line in lines if any(marker in line for marker in markers)]
        for name in notebook.solution_cells(source):
            found += sorted(hidden_lines(source, name) & {line.strip() for line in lines})
    return found


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Return the root of a released course, which no test may change."""
    root = tmp_path_factory.mktemp("course")
    write_course(root)
    assert release(root) == [
        "notebooks/01-sum/01-sum.ipynb: missing",
        "notebooks/01-sum/helpers.py: missing",
    ]
    return root


@pytest.fixture
def copied(generated, tmp_path, monkeypatch):
    """Return a copy of that course, which nbgrader "generates" by copying what it made before.

    nbgrader takes seconds; what is done with its result does not depend on it.
    """

    def again(course: Path) -> None:
        write_files(course / "notebooks", files(generated / "notebooks"))

    for folder in ("solutions", "notebooks"):
        write_files(tmp_path / folder, files(generated / folder))
    monkeypatch.setattr(nbgrader_plugins, "generate", again)
    return tmp_path


def write_files(folder: Path, contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


# ---- what learners get -------------------------------------------------------------------------


def test_learners_get_the_notebook_and_its_modules(generated):
    released = files(generated / "notebooks")
    assert sorted(released) == ["01-sum/01-sum.ipynb", "01-sum/helpers.py"]
    assert released["01-sum/helpers.py"].decode() == MODULE


def test_the_starter_is_shown_and_every_other_cell_is_the_sources(generated):
    nb = notebook.read(generated / "notebooks" / NAME / f"{NAME}.ipynb")
    expected = {cell.id: cell.source for cell in source_notebook().cells} | {"total": STARTER}
    assert {cell["id"]: cell["source"] for cell in nb["cells"]} == expected
    assert notebook.problems(nb) == []


def test_graded_cells_are_locked(generated):
    nb = notebook.read(generated / "notebooks" / NAME / f"{NAME}.ipynb")
    locked = [cell["id"] for cell in nb["cells"] if cell["metadata"].get("editable") is False]
    assert locked == ["total-check", "total-race"]


def test_nothing_of_the_solution_is_shown(generated):
    source = notebook.read(generated / "solutions" / NAME / f"{NAME}.ipynb")
    assert hidden_lines(source, "total") == {"return n * (n - 1) // 2"}
    assert leaks(source, generated / "notebooks" / NAME) == []
    # The source itself would be caught.
    assert len(leaks(source, generated / "solutions" / NAME)) == 5


def test_the_starter_can_be_run_and_graded(generated):
    calls = notebook.load(generated / "notebooks" / NAME / f"{NAME}.ipynb")
    assert [call.score() for call in calls] == [4, 0]


def test_the_instructors_gradebook_is_not_touched(generated):
    assert list((generated / "var").iterdir()) == []


# ---- repeated, checked -------------------------------------------------------------------------


def test_a_second_release_changes_no_byte(tmp_path):
    write_course(tmp_path, "01-sum")
    write_course(tmp_path, "02-sum")
    release(tmp_path)
    first = files(tmp_path / "notebooks")
    assert len(first) == 4
    for path in (tmp_path / "notebooks").rglob("*.ipynb"):
        path.unlink()
    assert release(tmp_path) == [f"notebooks/{n}/{n}.ipynb: missing" for n in ("01-sum", "02-sum")]
    assert files(tmp_path / "notebooks") == first


def test_an_up_to_date_release_is_left_alone(copied):
    before = (copied / "notebooks" / NAME).stat().st_ino
    assert release(copied, check=True) == release(copied) == []
    assert (copied / "notebooks" / NAME).stat().st_ino == before


def test_what_is_out_of_date_is_named_and_then_repaired(copied):
    good = files(copied / "notebooks")
    write_files(
        copied / "notebooks",
        {"01-sum/01-sum.ipynb": b"edited", "01-sum/answers.txt": b"45", "00-old/00-old.ipynb": b""},
    )
    (copied / "notebooks" / NAME / "helpers.py").unlink()
    source = copied / "solutions" / NAME / f"{NAME}.ipynb"
    canonical = source.read_bytes()
    source.write_bytes(canonical + b"\n")
    differences = [
        "solutions/01-sum/01-sum.ipynb: not in canonical form",
        "notebooks/00-old: has no source in solutions/",
        "notebooks/01-sum/01-sum.ipynb: differs from its source",
        "notebooks/01-sum/answers.txt: not part of the release",
        "notebooks/01-sum/helpers.py: missing",
    ]
    before = files(copied)
    assert release(copied, check=True) == differences
    assert files(copied) == before
    assert release(copied) == differences
    assert files(copied / "notebooks") == good
    assert source.read_bytes() == canonical
    assert release(copied, check=True) == []


def test_hidden_files_of_jupyters_do_not_count(copied):
    write_files(copied / "notebooks" / NAME, {".ipynb_checkpoints/01-sum-checkpoint.ipynb": b""})
    write_files(copied / "solutions", {".ipynb_checkpoints/x.ipynb": b""})
    assert release(copied, check=True) == []


# ---- failures ----------------------------------------------------------------------------------


def test_where_nbgrader_fails_the_old_release_stays(tmp_path, monkeypatch):
    path = write_course(tmp_path)
    write_files(tmp_path / "notebooks" / NAME, {"old.ipynb": b"old"})
    # Nothing of this course's own finds this fault; nbgrader does.
    nb = notebook.read(path)
    nb["cells"][4]["metadata"]["nbgrader"] = {"grade_id": "not-a-task", "schema_version": 3}
    notebook.write(path, nb)
    before = files(tmp_path)
    with pytest.raises(
        ReleaseError, match="nbgrader could not generate the notebooks:\n(.|\n)*01-sum"
    ):
        release(tmp_path)
    assert files(tmp_path) == before


def test_where_a_folder_cannot_be_put_in_place_the_old_one_stays(copied, monkeypatch):
    write_files(copied / "notebooks" / NAME, {"old.ipynb": b"old"})
    before = files(copied)
    rename = Path.rename

    def failing(path, target):
        if target == copied / "notebooks" / NAME and path.parent.name == "notebooks":
            raise OSError("no space left")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="no space left"):
        release(copied)
    assert files(copied) == before


def _broken(**changes: str):
    """Return a change of the course at a root: cells of its notebook with another source."""

    def change(root: Path) -> None:
        path = root / "solutions" / NAME / f"{NAME}.ipynb"
        nb = notebook.read(path)
        for cell in nb["cells"]:
            cell["source"] = changes.get(cell["id"].replace("-", "_"), cell["source"])
        notebook.write(path, nb)

    return change


def _file(name: str, content: bytes | None):
    def change(root: Path) -> None:
        path = root / "solutions" / NAME / name
        path.unlink() if content is None else path.write_bytes(content)

    return change


_EMPTY_STARTER = "### BEGIN SOLUTION\n### BEGIN STARTER\n{}\n### END STARTER\n### END SOLUTION"

FAULTS = {
    "no notebook": (_file("01-sum.ipynb", None), "has no 01-sum.ipynb"),
    "a second notebook": (
        _file("copy.ipynb", b""),
        "has another notebook than 01-sum.ipynb: copy.ipynb",
    ),
    "no JSON": (_file("01-sum.ipynb", b"{"), "01-sum.ipynb is not a notebook"),
    "a solution in a module": (
        _file("helpers.py", b"### BEGIN SOLUTION\n"),
        "helpers.py holds a solution, and learners get it as it is",
    ),
    "a problem": (_broken(total_check="total(3)"), "cell 7 (total-check) must be one expression"),
    "no starter": (_broken(total="def total(n): ..."), "cell total: the solution cell needs"),
    "a broken starter": (
        _broken(total=_EMPTY_STARTER.format("# def total(n)")),
        "cell total: expected ':' (starter of total, line 1)",
    ),
}


@pytest.mark.parametrize("change, message", FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_source_is_refused_before_anything_is_written(tmp_path, change, message):
    write_course(tmp_path)
    change(tmp_path)
    before = files(tmp_path)
    with pytest.raises(ReleaseError) as caught:
        release(tmp_path)
    assert str(caught.value).startswith("solutions/01-sum: ")
    assert message in str(caught.value)
    assert files(tmp_path) == before


def test_every_fault_is_told_at_once(tmp_path):
    write_course(tmp_path, "01-sum")
    write_course(tmp_path, "02-sum")
    for name in ("01-sum", "02-sum"):
        (tmp_path / "solutions" / name / f"{name}.ipynb").unlink()
    with pytest.raises(ReleaseError) as caught:
        release(tmp_path)
    assert str(caught.value).splitlines() == [
        "solutions/01-sum: has no 01-sum.ipynb",
        "solutions/02-sum: has no 02-sum.ipynb",
    ]


def test_nothing_to_release_is_an_error(tmp_path):
    with pytest.raises(ReleaseError, match="there are no folders in .*solutions"):
        release(tmp_path)


def test_a_missing_nbgrader_is_explained(tmp_path, monkeypatch):
    write_course(tmp_path)
    monkeypatch.delitem(sys.modules, "grader.nbgrader_plugins")
    monkeypatch.delattr("grader.nbgrader_plugins")
    monkeypatch.setitem(sys.modules, "nbgrader", None)
    with pytest.raises(ReleaseError, match=r"nbgrader is missing: install .* -e \.\[course\]"):
        release(tmp_path)


# ---- the notebooks of the course ---------------------------------------------------------------


def test_the_course_is_released():
    assert release(ROOT, check=True) == []
    assert RELEASED


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_no_released_notebook_shows_a_solution(released):
    source = notebook.read(ROOT / "solutions" / released.stem / released.name)
    assert notebook.solution_cells(notebook.read(released)) == {
        name: notebook.starter(text) for name, text in notebook.solution_cells(source).items()
    }
    assert leaks(source, released.parent) == []
