"""What nbgrader's steps do with a submission in this course."""

import base64
import copy
import json
import shutil
from pathlib import Path

import nbformat
import pytest
from fixture_course import NAME, ROOT, graded, source_notebook, write_course
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell
from nbgrader import utils
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute
from traitlets.config import Config

from grader import nbgrader_plugins, notebook
from grader.official import sandbox, verdicts
from grader.official.harmless import OUTPUTS_PER_CELL, SHOWN_PER_OUTPUT, make_harmless
from grader.official.steps import (
    AnySubmission,
    ExecuteEveryCell,
    OfficialScores,
    RepairSubmission,
    SealedPage,
    adopt_renamed,
)
from grader.release import release

RESOURCES = {
    "metadata": {"path": ""},
    "nbgrader": {"student": "ada", "assignment": NAME, "notebook": NAME},
}
SCRIPT = "<script>document.title = 'hacked'</script>"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    write_course(root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    release(root)
    return root


@pytest.fixture(scope="module")
def config(root):
    config = Config()
    nbgrader_plugins.configure(config, root / "nbgrader_config.py")
    return config


# ---- running -----------------------------------------------------------------------------------


def test_settings_for_grading_do_not_reach_the_learners_validation(config):
    assert Execute(config=config).skip_cells_with_tag == "skip-execution"
    assert ExecuteEveryCell(config=config).skip_cells_with_tag == ""
    assert Execute(config=config).timeout == ExecuteEveryCell(config=config).timeout == 120


def run(config, *sources, **settings):
    """What the cells of a submission printed, or the names of their errors."""
    cells = [new_code_cell(source) for source in sources]
    limited = copy.deepcopy(config)
    limited.ExecuteEveryCell.update(settings)
    nb, _ = ExecuteEveryCell(config=limited)(new_notebook(cells=cells), RESOURCES)
    return [
        " ".join(o.ename if o.output_type == "error" else o.text.strip() for o in cell.outputs)
        for cell in nb.cells
    ]


def needs_a_sandbox():
    return pytest.mark.skipif(bool(sandbox.obstacle()), reason=sandbox.obstacle())


SANDBOXED = [
    pytest.param(True, id="sandboxed", marks=needs_a_sandbox()),
    pytest.param(False, id="unsandboxed"),
]


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_a_kernel_that_dies_keeps_what_was_before_it(config, sandboxed):
    sources = ("print(2)", "import os; os._exit(0)", "print(2)")
    assert run(config, *sources, sandboxed=sandboxed) == ["2", "KernelDied", "NotRun"]


@pytest.mark.parametrize("sandboxed", SANDBOXED)
def test_a_cell_that_never_ends_costs_itself(config, sandboxed):
    sources = ("print(2)", "while True: pass", "print(2)")
    first, second, third = run(config, *sources, timeout=2, sandboxed=sandboxed)
    assert (first, third) == ("2", "2")
    assert "CellTimeoutError" in second


@needs_a_sandbox()
def test_a_notebook_ends_when_its_time_is_up(config):
    sources = ("print(2)", "while True: pass", "print(2)", "print(2)")
    assert run(config, *sources, seconds_per_notebook=5)[2:] == ["NotRun", "NotRun"]


@needs_a_sandbox()
def test_graded_cells_are_left_to_the_referee_and_tags_skip_nothing(config):
    cells = [
        new_code_cell("print(1)", metadata={"tags": ["skip-execution"]}),
        graded("total-check", 4, "4.0"),
    ]
    nb, _ = ExecuteEveryCell(config=config)(new_notebook(cells=cells), RESOURCES)
    assert [len(cell.outputs) for cell in nb.cells] == [1, 0]


@needs_a_sandbox()
def test_the_modules_beside_the_notebook_can_be_imported(config):
    source = "import os, helpers; print(helpers.add(1, 2), os.getcwd())"
    [printed] = run(config, source)
    assert printed == f"3 {config.CourseDirectory.root}/notebooks/{NAME}"


@needs_a_sandbox()
def test_what_a_kernel_sends_is_limited(config):
    flood = "for _ in range(60): print('x' * 1_000_000, flush=True)"
    printed, after = run(config, flood, "print('after')")
    assert 100_000 < len(printed) < 2_000_000
    assert printed.endswith("TooMuchOutput") and after == ""
    [larger_than_a_message] = run(config, "print('x' * 2**27)", seconds_per_notebook=5)
    assert "x" not in larger_than_a_message


# ---- harmless pages ----------------------------------------------------------------------------


def harmless(*cells):
    nb = new_notebook()
    nb.cells = list(cells)  # a kernel can send what no notebook may hold
    make_harmless(nb)
    return nb


def shown(nb):
    """The page that a learner gets, without its fixed parts."""
    exporter = SealedPage(template_name="classic")
    return exporter.from_notebook_node(nb)[0]


def result(**data):
    data = {name.replace("_", "/"): value for name, value in data.items()}
    return new_output("display_data", data=data)


PICTURE = base64.b64encode(b"\x89PNG").decode()


@pytest.mark.parametrize(
    "output",
    [
        result(text_html=SCRIPT, text_plain="x"),
        result(text_markdown=SCRIPT),
        result(text_latex=SCRIPT),
        {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": SCRIPT}},
        {"output_type": "display_data", "metadata": {}, "data": {"application/javascript": "x"}},
        result(image_png='x" onerror="alert(1)'),
        result(image_jpeg=f"{SCRIPT}"),
        {
            "output_type": "display_data",
            "metadata": {"image/png": {"width": f'"{SCRIPT}'}},
            "data": {"image/png": PICTURE},
        },
        {"output_type": "stream", "name": f"x'>{SCRIPT}", "text": SCRIPT},
        {"output_type": "error", "ename": SCRIPT, "evalue": SCRIPT, "traceback": [SCRIPT]},
        {
            "output_type": "execute_result",
            "metadata": {},
            "execution_count": SCRIPT,
            "data": {"text/plain": SCRIPT},
        },
        {"output_type": SCRIPT, "data": {}},
    ],
    ids=lambda output: "-".join([output["output_type"][:14], *output.get("data", [])]),
)
def test_no_output_becomes_html(output):
    cell = new_code_cell("x")
    cell.outputs, cell.execution_count = [from_dict(output)], SCRIPT
    page = shown(harmless(cell))
    for word in ("<script>document", "onerror=", "alert(1)</"):
        assert word not in page


@pytest.mark.parametrize("new_cell", [new_markdown_cell, new_raw_cell])
def test_own_text_is_shown_as_it_was_typed(new_cell):
    text = f"{SCRIPT}\n\n![a](https://example.org/pixel.png) [b](javascript:x) </pre>{SCRIPT} $x$"
    page = shown(harmless(new_cell(text, id="own-1")))
    assert "<script>document" not in page
    assert "<img" not in page and "href=" not in page.split("</head>")[1]
    assert "![a](https://example.org/pixel.png)" in page


def test_text_of_the_course_stays_as_it_is():
    text = "<details><summary>Hint</summary>one</details>"
    assert text in shown(harmless(new_markdown_cell(text, id="hint")))


def test_pictures_and_text_stay():
    [cell] = harmless(
        new_code_cell("x", outputs=[result(image_png=PICTURE, text_plain="<Figure>")])
    ).cells
    assert cell.outputs[0].data == {"image/png": PICTURE, "text/plain": "<Figure>"}


def test_what_a_kernel_adds_to_the_notebook_is_dropped():
    nb = new_notebook(cells=[new_code_cell("x")])
    nb.metadata.widgets = {"x": f"</script>{SCRIPT}"}
    nb.metadata.language_info = {"name": SCRIPT}
    make_harmless(nb)
    assert nb.metadata == notebook.METADATA


def test_long_outputs_are_cut():
    outputs = [new_output("stream", name="stderr", text="x" * 10**6)] * 1000
    [cell] = harmless(new_code_cell("x", outputs=outputs)).cells
    assert len(cell.outputs) == OUTPUTS_PER_CELL
    assert len(cell.outputs[0].text) <= SHOWN_PER_OUTPUT + 2
    assert cell.outputs[0].name == "stdout"


@needs_a_sandbox()
def test_tracebacks_show_the_learners_lines_and_not_ours(config):
    lines = ["from grader.score import Score", "", "def mine():"]
    source = "\n".join([*lines, "    return Score(5, 4, None)  # here", "", "mine()"])
    nb, _ = ExecuteEveryCell(config=config)(new_notebook(cells=[new_code_cell(source)]), RESOURCES)
    [error] = nb.cells[0].outputs
    text = "\n".join(error.traceback)
    assert "mine" in text and "here" in text and "no number of points" in text
    assert "score.py" not in text and "math.isnan" not in text


def test_a_page_runs_no_script_and_loads_nothing():
    head = shown(harmless(new_markdown_cell("x"))).split("</head>")[0]
    seal = head.index("Content-Security-Policy")
    assert "default-src 'none'" in head
    assert "<script" not in head[:seal] and "<link" not in head[:seal]


# ---- what is graded ----------------------------------------------------------------------------


def handed_in(folder, **files):
    folder = folder / "var" / "submitted" / "ada" / NAME
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.ipynb").write_text(content)
    return folder, [str(path) for path in sorted(folder.glob("*.ipynb"))]


NOTES = json.dumps(from_dict(new_notebook(cells=[new_markdown_cell("mine")])))


def test_a_score_of_the_referee_is_what_nbgrader_reads(config, root, monkeypatch):
    handed_in(root, **{NAME: NOTES})
    card = {"outcome": "passed", "message": "", "points": 3.5, "html": "<b>card</b>"}
    monkeypatch.setattr(verdicts, "graded", lambda *a, **k: {"cells": {"total-check": card}})
    cell = graded("total-check", 4, "exercise.check(total)")
    cell.outputs = [new_output("error", ename="x", evalue="", traceback=[])]
    nb, _ = OfficialScores(config=config)(new_notebook(cells=[cell]), RESOURCES)
    assert utils.determine_grade(nb.cells[0]) == (3.5, 4)
    assert nb.cells[0].outputs[0].data["text/html"] == "<b>card</b>"


LACKS = "lacks parts that every notebook has"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param("", "Expecting value: line 1", id="empty"),
        pytest.param('{"cells": [\n<<<<<<< HEAD', "Expecting value: line 2", id="conflict"),
        pytest.param("[" * 100_000, "recursion", id="deep"),
        pytest.param("[]", LACKS, id="list"),
        pytest.param('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', LACKS, id="no cells"),
        pytest.param(NOTES.replace('"source": "mine"', '"source": 3'), LACKS, id="no text"),
        pytest.param(None, "is a link to another file", id="link"),
    ],
)
def test_a_file_that_is_no_notebook_is_left_to_a_person(config, root, content, why):
    folder, _ = handed_in(root)
    path = folder / f"{NAME}.ipynb"
    path.unlink(missing_ok=True)
    if content is None:
        path.symlink_to(root / "solutions" / NAME / f"{NAME}.ipynb")
    else:
        path.write_text(content)
    exporter = AnySubmission(config=config)
    exporter.register_preprocessor(RepairSubmission(config=config), enabled=True)
    nb = nbformat.reads(exporter.from_filename(str(path), RESOURCES)[0], as_version=4)
    assert why in nb.cells[0].source and "<<<" not in nb.cells[0].source
    released = notebook.read(root / "notebooks" / NAME / f"{NAME}.ipynb")
    assert [cell.id for cell in nb.cells[1:]] == [cell["id"] for cell in released["cells"]]
    assert [c.source for c in nb.cells[1:]] == [cell["source"] for cell in released["cells"]]
    OfficialScores(config=config)(nb, RESOURCES)
    kept = verdicts.read(verdicts.file_of(root, "ada", NAME))
    assert set(verdicts.open_cells(kept)) == {"total-check", "total-race"}
    path.unlink()  # nothing of the next test goes through a link


@pytest.fixture
def copied(root, tmp_path):
    shutil.copytree(root / "notebooks", tmp_path / "notebooks")
    return tmp_path


@pytest.mark.parametrize("name", ["01-sum-final", "Copy of 01-sum", "01-sum (1)"])
def test_a_renamed_notebook_is_adopted(copied, name):
    released = (copied / "notebooks" / NAME / f"{NAME}.ipynb").read_text()
    folder, paths = handed_in(copied, **{name: released, "notes": NOTES, "broken": "{"})
    adopt_renamed(assignment=NAME, student="ada", notebooks=paths)
    assert paths[-1] == str(folder / f"{NAME}.ipynb")
    assert Path(paths[-1]).read_text() == released
    assert (folder / f"{name}.ipynb").exists()


def test_nothing_is_adopted_where_the_notebook_is_there_or_none_is_like_it(copied):
    folder, paths = handed_in(copied, notes=NOTES, broken="{")
    adopt_renamed(assignment=NAME, student="ada", notebooks=paths)
    assert len(paths) == 2
    (folder / f"{NAME}.ipynb").write_text(json.dumps(source_notebook()))
    paths = [str(path) for path in sorted(folder.glob("*.ipynb"))]
    adopt_renamed(assignment=NAME, student="ada", notebooks=paths)
    assert len(paths) == 3


def test_course_directory_of_the_steps_is_the_courses(config, root):
    course = CourseDirectory(config=config)
    assert course.root == str(root)
