"""What the referee says of one submission, kept in a file: measured once, read from then on."""

import atexit
import hashlib
import html
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.official.referee import Grading, Referee, RefereeError
from grader.score import MIME

# Outcomes that are left to a person, or to another measurement; never a zero.
OPEN = ("inconclusive", "not measurable here")


class Referees:
    """The referee of one notebook at a time, kept from one submission to the next."""

    def __init__(self) -> None:
        self._key: tuple = ()
        self._referee: Referee | None = None
        atexit.register(self.close)

    def get(self, released: Path, *, sandboxed: bool) -> Referee:
        key = (released, released.read_text(), sandboxed)
        if key != self._key:
            self.close()
            self._referee, self._key = Referee(released, sandboxed=sandboxed), key
        return self._referee

    def close(self) -> None:
        if self._referee:
            self._referee.close()
        self._referee, self._key = None, ()


_referees = Referees()


def graded(
    released: Path, answers: Mapping[str, str], file: Path, *, sandboxed: bool = True
) -> dict[str, Any]:
    """What the referee says of these answers to the notebook `released`.

    "cells": grade_id -> the score, its card as "html"; "exercises": what it rests on. Kept in
    `file`, and read from there where nothing has changed and no verdict is open.
    """
    kept, referee = read(file), _referees.get(released, sandboxed=sandboxed)
    done: dict[str, Any] = {"cells": {}, "exercises": {}}
    for exercise, cells in referee.cells.items():
        own = [answers.get(cell.removesuffix(f"-{part}")) for part, cell in cells.items()]
        key = digest(released.read_text(), own)
        evidence = kept.get("exercises", {}).get(exercise, {})
        scores = {cell: kept["cells"][cell] for cell in cells.values()} if evidence else {}
        if evidence.get("key") != key or any(s["outcome"] in OPEN for s in scores.values()):
            referee = _referees.get(released, sandboxed=sandboxed)
            scores, evidence = _by_referee(referee, exercise, answers)
        done["cells"] |= scores
        done["exercises"][exercise] = evidence | {"key": key}
        write(file, kept | done)
    return done


def left_open(cells: Sequence[str], file: Path, why: str) -> dict[str, Any]:
    """The same for a submission that cannot be read: a person has to look at every graded cell."""
    done = {"cells": {cell: _open(why, why) for cell in cells}, "exercises": {}}
    write(file, done)
    return done


def _open(why: str, told: str) -> dict[str, Any]:
    """A score that is none yet; `told` is what the learner sees of the reason."""
    page = f"<p>{html.escape(told)}</p>"
    return {"outcome": "inconclusive", "message": why, "points": 0.0, "html": page}


def close() -> None:
    """End the processes that are kept from one submission to the next."""
    _referees.close()


def _by_referee(
    referee: Referee, exercise: str, answers: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The scores by graded cell, and what they rest on."""
    cells = referee.cells[exercise]
    try:
        grading = referee.grade(exercise, answers)
    except RefereeError as error:
        _referees.close()  # the next exercise gets a new one
        why = f"The course's own half of the grading failed: {error}"
        score = _open(why, "The grading itself failed.") | {"exercise": exercise}
        return {cell: score | {"part": part} for part, cell in cells.items()}, {}
    scores = {}
    note = "" if referee.sandboxed else "<p>Graded without a sandbox.</p>"
    for part, cell in cells.items():
        bundle = grading.scores[part]._repr_mimebundle_()
        scores[cell] = bundle[MIME] | {"html": bundle["text/html"] + note}
    return scores, _evidence(grading)


def _evidence(grading: Grading) -> dict[str, Any]:
    return grading.facts | {
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


def digest(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def open_cells(kept: Mapping[str, Any]) -> dict[str, str]:
    """Why cells have no final score yet, by grade_id."""
    cells = kept.get("cells", {})
    return {cell: s["message"] for cell, s in cells.items() if s["outcome"] in OPEN}


def file_of(root: Path, student: str, assignment: str) -> Path:
    return root / "var" / "verdicts" / student / f"{assignment}.json"


def read(file: Path) -> dict[str, Any]:
    """What `file` holds; nothing where it is absent. Raises ValueError where it is damaged."""
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{file} is damaged ({error}): delete it, and grade again") from error


def write(file: Path, content: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    beside.write_text(json.dumps(content, indent=1) + "\n")
    beside.replace(file)
