"""`python -m grader autograde`: nbgrader's autograde, with every score from the referee.

The learner's kernel runs the notebook for the feedback page only, without its graded cells. What
the referee says of a submission stands in var/verdicts/STUDENT/ASSIGNMENT.json and is kept: grading
again asks the referee again only for answers that have changed and for verdicts that were open.
"""

import atexit
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from grader.nbgrader_plugins import ExecuteEveryCell, StrictScore, configure
from grader.official.referee import Grading, Referee, RefereeError
from grader.score import MIME

OPEN = "inconclusive"
_referees: dict[Path, Referee] = {}


def autograde(root: Path, assignment: str, *, student: str = "*", retry: bool = False) -> int:
    """Grade the submissions to an assignment of the course in the folder `root`.

    `student`: an id, or a pattern. `retry`: those with open verdicts only. Returns how many need a
    person. Raises ValueError where there is nothing to grade.
    """
    config = Config()
    configure(config, root / "nbgrader_config.py")
    steps = config.Autograde.autograde_preprocessors
    steps.insert(steps.index(StrictScore), OfficialScores)
    config[ExecuteEveryCell.__name__].skip_graded = True
    submissions = sorted(root.glob(f"var/submitted/{student}/{assignment}"))
    students = [path.parent.name for path in submissions]
    if retry:
        students = [name for name in students if _is_open(_read(_verdicts(root, name, assignment)))]
    if not students:
        raise ValueError(
            f"nothing to grade: no {'open verdict' if retry else 'submission'} in "
            f"var/submitted/{student}/{assignment}"
        )
    in_need = {}
    for number, name in enumerate(students, start=1):
        problem = _autograde_one(config, assignment, name)
        kept = _read(_verdicts(root, name, assignment))
        if not problem and _is_open(kept):
            problem = "; ".join(
                f"{cell}: {score['message']}"
                for cell, score in kept["cells"].items()
                if score["outcome"] == OPEN
            )
        points = sum(score["points"] for score in kept.get("cells", {}).values())
        print(f"[{number}/{len(students)}] {name}: {problem or f'{points:g} points'}", flush=True)
        if problem:
            in_need[name] = problem
    if in_need:
        print(f"{len(in_need)} of {len(students)} need a person, or --retry:", *in_need)
    return len(in_need)


def _autograde_one(config: Config, assignment: str, student: str) -> str:
    """Why a submission could not be graded; empty where it was."""
    course = CourseDirectory(config=config, assignment_id=assignment, student_id=student)
    converter = Autograde(coursedir=course, config=config, force=True)
    try:
        converter.start()
    except (NbGraderException, OSError) as error:
        return f"not graded: {error}"
    return ""


class OfficialScores(NbGraderPreprocessor):
    """Puts the referee's scores into the graded cells."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        names = resources["nbgrader"]
        course = CourseDirectory(parent=self.parent)
        folder = course.format_path(course.release_directory, ".", names["assignment"])
        released = Path(folder, f"{names['notebook']}.ipynb").resolve()
        answers = {
            cell.metadata.nbgrader["grade_id"]: cell.source
            for cell in nb.cells
            if utils.is_solution(cell)
        }
        verdicts = _verdicts(Path(course.root), names["student"], names["assignment"])
        cells = graded(released, answers, verdicts)["cells"]
        for cell in nb.cells:
            if utils.is_grade(cell) and not utils.is_solution(cell):
                score = cells[cell.metadata.nbgrader["grade_id"]]
                bundle = {
                    "text/plain": repr(float(score["points"])),
                    "text/html": score["html"],
                    MIME: {name: value for name, value in score.items() if name != "html"},
                }
                cell.outputs = [new_output("execute_result", data=bundle, execution_count=1)]
        return nb, resources


def graded(released: Path, answers: Mapping[str, str], verdicts: Path) -> dict[str, Any]:
    """What the referee says of these answers; kept in the file `verdicts`, and read from there
    where nothing has changed."""
    kept, referee = _read(verdicts), _referee(released)
    done: dict[str, Any] = {"cells": {}, "exercises": {}}
    for exercise, cells in referee.cells.items():
        own = [answers.get(cell.removesuffix(f"-{part}")) for part, cell in cells.items()]
        key = hashlib.sha256(json.dumps([released.read_text(), own]).encode()).hexdigest()
        evidence = kept.get("exercises", {}).get(exercise, {})
        scores = {cell: kept["cells"][cell] for cell in cells.values()} if evidence else {}
        if evidence.get("key") != key or any(s["outcome"] == OPEN for s in scores.values()):
            scores, evidence = _by_referee(referee, exercise, answers)
        done["cells"] |= scores
        done["exercises"][exercise] = evidence | {"key": key}
        _write(verdicts, kept | done)
    return done


def _by_referee(
    referee: Referee, exercise: str, answers: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The scores by graded cell, and what they rest on."""
    cells = referee.cells[exercise]
    try:
        grading = referee.grade(exercise, answers)
    except RefereeError as error:
        reason = f"The course's own half of the grading failed: {error}"
        score = {"exercise": exercise, "outcome": OPEN, "message": reason, "points": 0.0}
        score |= {"html": "<p>Not graded yet: the grading itself failed.</p>"}
        return {cell: score | {"part": part} for part, cell in cells.items()}, {"error": reason}
    scores = {}
    for part, cell in cells.items():
        bundle = grading.scores[part]._repr_mimebundle_()
        scores[cell] = bundle[MIME] | {"html": bundle["text/html"]}
    return scores, _evidence(grading)


def _evidence(grading: Grading) -> dict[str, Any]:
    return {
        "device": grading.device,
        "seconds": round(grading.seconds, 2),
        "seeds": grading.seeds,
        "races": [
            {
                "goal": verdict.goal,
                "decision": verdict.decision,
                "heats": [asdict(heat) for heat in verdict.heats],
            }
            for verdict in grading.verdicts
        ],
    }


def _referee(released: Path) -> Referee:
    if released not in _referees:
        _referees[released] = Referee(released)
        atexit.register(_referees[released].close)
    return _referees[released]


def _is_open(kept: Mapping[str, Any]) -> bool:
    return any(score["outcome"] == OPEN for score in kept.get("cells", {}).values())


def _verdicts(root: Path, student: str, assignment: str) -> Path:
    return root / "var" / "verdicts" / student / f"{assignment}.json"


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{file} is damaged ({error}): delete it, and grade again") from error


def _write(file: Path, content: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    beside.write_text(json.dumps(content, indent=1) + "\n")
    beside.replace(file)
