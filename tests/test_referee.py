"""The referee of official grading: honest answers get theirs, cheats get nothing."""

import ast
import contextlib
import secrets
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from grader import cli, notebook
from grader.official import codec, verdicts
from grader.official.referee import Referee, RefereeError, Worker
from grader.official.sandbox import Sandbox

EVALUATION = "07-transfers-and-syncs/evaluation"
CHEATS = sorted(Path(__file__).with_name("cheats").glob("*.py"))
REFUSED = ("wrong answer", "error", "rejected", "global state changed", "inputs changed")


def released(name: str) -> Path:
    (path,) = cli.COURSE.glob(f"notebooks/{name}*/*.ipynb")
    return path


def reference(name: str, cell: str) -> dict[str, str]:
    (path,) = cli.COURSE.glob(f"solutions/{name}*/*.ipynb")
    return {cell: notebook.reference(notebook.solution_cells(notebook.read(path))[cell])}


@pytest.fixture(scope="module")
def evaluation():
    with contextlib.closing(Referee(released("07"))) as official:
        yield lambda source: official.grade(EVALUATION, {"evaluation": source}).scores


def wait_for_state(pid: int, state: str) -> None:
    """Until the process is in this state (T: stopped), or is no more."""
    file = Path(f"/proc/{pid}/stat")
    deadline = time.monotonic() + 10
    while file.exists() and file.read_text().rsplit(")", 1)[1].split()[0] != state:
        assert time.monotonic() < deadline, file.read_text()
        time.sleep(0.05)


@pytest.mark.timing
@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("07-transfers-and-syncs", "evaluation"),
        ("02-dataloader-workers", "loader"),  # processes of its own
        ("10-distributed-data-parallel", "training"),  # and ranks
        ("17-normalization", "inputs"),  # the slow version's answer is wrong
        ("05-optimizer", "recall"),  # no answer, only evidence
    ],
)
def test_an_honest_answer_gets_every_point(name, cell):
    with contextlib.closing(Referee(released(name))) as official:
        (exercise,) = (
            id for id, cells in official.cells.items() if cells["check"] == f"{cell}-check"
        )
        grading = official.grade(exercise, reference(name, cell))
        if any(score.outcome == "inconclusive" for score in grading.scores.values()):
            grading = official.grade(exercise, reference(name, cell))
    for part, score in grading.scores.items():
        assert score.outcome in ("passed", "not measurable here"), f"{part}\n{score}"
        assert score == score.maximum > 0


@pytest.mark.timing
def test_work_that_is_left_out_in_the_race_is_noticed():
    """Also where there is no answer to compare, but only what says that a training was right."""
    (source,) = reference("03-batch-size", "training").values()
    cell = f"""{source}


honest, CALLS = make_training, [0]


def make_training(model, samples, generator):
    CALLS[0] += 1
    optimizer, scheduler, epoch = honest(model, samples, generator)
    return optimizer, scheduler, epoch if CALLS[0] < 5 else lambda: epoch()[:-1]
"""
    with contextlib.closing(Referee(released("03"))) as official:
        scores = official.grade("03-batch-size/training", {"training": cell}).scores
    assert (scores["check"].outcome, scores["race"].outcome) == ("passed", "too many")
    assert "In the race" in scores["race"].card.message and scores["race"] == 0


def test_the_starter_is_not_attempted(evaluation):
    (path,) = cli.COURSE.glob("solutions/07*/*.ipynb")
    cell = notebook.solution_cells(notebook.read(path))["evaluation"]
    for score in evaluation(notebook.starter(cell)).values():
        assert (score.outcome, score) == ("not attempted", 0)


def cheat(path: Path) -> dict[str, object]:
    """The capital names that the file assigns."""
    return {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in ast.parse(path.read_text()).body
        if isinstance(statement, ast.Assign)
    }


def timed_if_raced(path: Path):
    check = cheat(path)["CHECK"]
    refused = {check} if isinstance(check, str) else set(check)
    marks = [] if refused.issubset(REFUSED) else [pytest.mark.timing]
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", [timed_if_raced(path) for path in CHEATS])
def test_a_cheat_gets_no_point_for_it(path, evaluation):
    """`CHECK` and `RACE`: the outcomes that it must get. Points only where a part is honest.

    `CELL` comes after the reference, which it knows as `honest`.
    """
    expected = cheat(path)
    (honest,) = reference("07", "evaluation").values()
    source = f"{honest}\n\n\nhonest = evaluate\n\n\n{expected['CELL']}"
    scores = evaluation(source)
    for part, score in scores.items():
        allowed = expected[part.upper()]
        allowed = (allowed,) if isinstance(allowed, str) else allowed
        assert score.outcome in allowed, f"{part}\n{score}"
        assert score == 0 or score.outcome == "passed"


def test_what_honest_code_may_do(evaluation):
    """Nothing of this is near what counts; names of the task are its own in its cell."""
    (honest,) = reference("07", "evaluation").values()
    cell = f"""
import collections
import dataclasses
import logging
import traceback
import warnings

{honest}

device, clusters, evaluate_case, zip_ = "cpu", None, 7, zip
Pair = collections.namedtuple("Pair", "x y")
exec("SIXTEEN = 16")


@dataclasses.dataclass
class Total:
    value: float = 0.0


class Loss(nn.Module):
    def forward(self, output, y):
        return F.cross_entropy(output, y)


@torch.compiler.disable
def fast(model, batches, loss=Loss()):
    return evaluate_all(model, [Pair(x, y) for x, y in batches])


evaluate_all = evaluate


def evaluate(model, batches):
    try:
        Total(1 / 0)
    except ZeroDivisionError:
        logging.getLogger("mine").warning(traceback.format_exc())
    warnings.warn("careful")
    return fast(model, batches)
"""
    score = evaluation(cell)["check"]
    assert score == score.maximum, score


def commands_running():
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has just ended
            yield file.read_bytes().decode(errors="replace")


@pytest.mark.timing
def test_what_an_answer_starts_gains_nothing_and_is_not_left_running():
    """Where an answer may start processes, as a loader's workers are."""
    seconds = str(90000 + secrets.randbelow(9999))
    cell = f"""
import subprocess

for command in ("sleep {seconds}", "while :; do :; done", "while :; do :; done"):
    subprocess.run(["sh", "-c", f"setsid sh -c '{{command}}' &"])  # nobody's child


def make_loader(recordings, device):
    return [*map(make_loader_slow, [recordings], [device])][0]
"""
    with contextlib.closing(Referee(released("02"))) as official:
        scores = official.grade("02-dataloader-workers/loader", {"loader": cell}).scores
    assert scores["check"].outcome == "too few"
    assert scores["race"].outcome in ("short of the goal", "slower", "inconclusive")
    assert sum(scores.values()) == 0
    assert not any(seconds in command for command in commands_running())


def test_what_the_code_prints_is_no_answer(evaluation):
    cell = """
import sys

def evaluate(model, batches):
    print('{"done": null}')
    print('{"done": null}', file=sys.stderr)
"""
    scores = evaluation(cell)
    assert {score.outcome for score in scores.values()} == {"wrong answer"}


def test_the_referee_does_without_pytorch():
    code = "import sys, grader.official.referee; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_worker_is_stopped_between_questions():
    with contextlib.closing(Worker(Sandbox(), trusted=False)) as worker:
        assert worker.ask("printed") == ""
        wait_for_state(worker.pid, "T")
        seconds = worker.cpu_seconds()
        time.sleep(0.2)
        assert worker.cpu_seconds() == seconds


@pytest.mark.timing
def test_without_a_sandbox_by_decision_it_grades_as_well_and_says_so(tmp_path):
    answers = reference("07", "evaluation")
    done = verdicts.graded(released("07"), answers, tmp_path / "verdict.json", sandboxed=False)
    check, race = (done["cells"][f"evaluation-{part}"] for part in ("check", "race"))
    assert check["outcome"] == "passed"
    assert race["outcome"] in ("passed", "inconclusive")
    assert "without a sandbox" in check["html"] and "without a sandbox" in race["html"]
    assert done["exercises"][EVALUATION]["sandbox"].startswith("none: ")
    verdicts.close()


def test_an_answer_that_takes_its_time_is_left_to_a_person(monkeypatch):
    monkeypatch.setattr("grader.official.referee.SECONDS_PER_EXERCISE", 6)
    cell = """
import time


def evaluate(model, batches):
    time.sleep(1.5)
    return evaluate_slow(model, batches)
"""
    with contextlib.closing(Referee(released("07"))) as official:
        scores = official.grade(EVALUATION, {"evaluation": cell}).scores
    assert scores["race"].outcome == "inconclusive" and scores["race"] == 0
    assert "longer than 6 s" in scores["race"].card.message


def test_a_slow_version_that_cannot_run_is_nobodys_fault(tmp_path):
    nb = notebook.read(released("07"))
    for cell in nb["cells"]:
        if cell["id"] == "evaluate-case":
            cell["source"] += "\nraise RuntimeError('the course is broken')"
    path = tmp_path / "07-transfers-and-syncs.ipynb"
    notebook.write(path, nb)
    with pytest.raises(RefereeError, match="the course is broken"):
        Referee(path).grade(EVALUATION, {})


@pytest.mark.parametrize(
    "value",
    [
        None,
        1.5,
        [1, "two", [True]],
        {"a": torch.ones(2, 3), ("b", 1): [torch.arange(4)]},
        torch.tensor(float("nan")),
        torch.ones(3, dtype=torch.bfloat16),
        torch.empty(0, 5),
        torch.ones(4, 4).T[1:],
        torch.ones(2, 2).numpy(),
        torch.tensor([True, False]),
    ],
)
def test_answers_survive_the_codec(value):
    again = codec.plain(value)
    assert type(again) is type(value)
    assert codec.encode(again) == codec.encode(value)


@pytest.mark.parametrize(
    "value",
    [
        {"tensor": "float32", "shape": [2], "data": "AAAA"},
        {"tensor": "object", "shape": [], "data": ""},
        {"tensor": "float32", "shape": [-1], "data": ""},
        {"tensor": "float32", "shape": [2**39, 2**39], "data": ""},
        {"array": "O", "shape": [], "data": ""},
        {"array": "|V8", "shape": [], "data": "AAAAAAAAAAA="},
        {"mapping": [[1]]},
        {"mapping": 5},
        {"pickle": "gASVBgAAAAAAAABdlC4="},
    ],
)
def test_malformed_answers_are_refused(value):
    with pytest.raises(ValueError, match="malformed|more than"):
        codec.decode(value)


def test_nothing_else_is_an_answer():
    with pytest.raises(TypeError, match="cannot hold a function"):
        codec.encode([print.__class__, lambda: None][1:])
