"""A submission made whole: the released notebook, with the learner's answers in it.

Learners delete, copy, retype and reorder cells, and tools strip ids and metadata. What is graded is
therefore built anew: every cell that the course released comes from the release, in its order;
from the submission come the answers, and the learner's own cells between them.

Standard library only. Notebooks are dictionaries as `grader.notebook.read` gives them.
"""

import ast
import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader import notebook

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class Repaired:
    """notebook: to be graded. answers: what was handed in, by grade_id, as far as it was found.
    notes: one sentence for each repair, for the learner and the teacher."""

    notebook: dict[str, Any]
    answers: dict[str, str]
    notes: list[str]


def repair(submitted: Mapping[str, Any], released: Mapping[str, Any]) -> Repaired:
    """Put the answers and own cells of `submitted` into a copy of `released`."""
    return _Repair(submitted, released).done()


def likeness(submitted: Mapping[str, Any], released: Mapping[str, Any]) -> float:
    """Which share of the released cells is found in `submitted`."""
    claims = {claim for claim in _Repair(submitted, released).claims if claim}
    return len(claims) / len(released["cells"])


class _Repair:
    def __init__(self, submitted: Mapping[str, Any], released: Mapping[str, Any]) -> None:
        self.released = released
        self.cells = {cell["id"]: cell for cell in released["cells"]}
        self.submitted = [cell for cell in submitted["cells"] if not _injected(cell)]
        # Which released cell each submitted cell is; None for the learner's own.
        self.claims = [self._claim(cell) for cell in self.submitted]
        self._claim_by_text()
        self.notes: list[str] = []

    def done(self) -> Repaired:
        answers = {}
        for name in notebook.solution_cells(self.released):
            position = self._answer(name)
            if position is not None:
                answers[name] = self.submitted[position]["source"]
                self.claims[position] = name
        self._note_other_changes()
        own = self._own_cells()
        cells = own.pop(None, [])
        for name, cell in self.cells.items():
            cell = copy.deepcopy(dict(cell))
            cell["source"] = answers.get(name, cell["source"])
            cells += [cell, *own.pop(name, [])]
        return Repaired({**self.released, "cells": cells}, answers, self.notes)

    def _claim(self, cell: Cell) -> str | None:
        """The id of the released cell that `cell` is or was copied from, by its metadata."""
        metadata = cell.get("metadata") or {}
        nbgrader = metadata.get("nbgrader") or {}
        # Colab keeps a cell's id in its metadata.
        for name in (nbgrader.get("grade_id"), cell.get("id"), metadata.get("id")):
            if isinstance(name, str) and name in self.cells:
                return name
        return None

    def _claim_by_text(self) -> None:
        """Cells that have lost every name, and still have the text of a released cell."""
        texts = {
            cell["source"]: name for name, cell in self.cells.items() if name not in self.claims
        }
        for position, cell in enumerate(self.submitted):
            if self.claims[position] is None:
                self.claims[position] = texts.pop(cell["source"], None)

    def _answer(self, name: str) -> int | None:
        """Where in the submission the answer cell `name` stands."""
        found = [position for position, claim in enumerate(self.claims) if claim == name]
        by_definition = not found
        if by_definition:
            found = self._defines_the_same(name)
        if not found:
            self.notes.append(f"The answer cell '{name}' is missing; the starter took its place.")
            return None
        # As a run from top to bottom would have it: the last one above the graded cell.
        end = self._first_graded_cell_after(name)
        chosen = [position for position in found if position < end][-1:] or found[:1]
        if by_definition:
            self.notes.append(
                f"The answer cell '{name}' had lost its name; it was found by what it defines."
            )
        elif len(found) > 1:
            self.notes.append(
                f"The answer cell '{name}' was there {len(found)} times; the last one above its "
                "graded cell counts."
            )
        return chosen[0]

    def _defines_the_same(self, name: str) -> list[int]:
        """The learner's own code cells that define all that the starter of `name` defines."""
        needed = _definitions(self.cells[name]["source"])
        return [
            position
            for position, cell in enumerate(self.submitted)
            if self.claims[position] is None and needed and needed <= _definitions(cell["source"])
        ]

    def _first_graded_cell_after(self, name: str) -> int:
        names = list(self.cells)
        graded = [
            later
            for later in names[names.index(name) :]
            if self.cells[later].get("metadata", {}).get("nbgrader", {}).get("grade")
        ]
        if graded and graded[0] in self.claims:
            return self.claims.index(graded[0])
        return len(self.claims)

    def _note_other_changes(self) -> None:
        for name, cell in self.cells.items():
            metadata = cell.get("metadata", {})
            nbgrader = metadata.get("nbgrader", {})
            copies = [
                own for own, claim in zip(self.submitted, self.claims, strict=True) if claim == name
            ]
            answer = bool(nbgrader.get("solution"))
            if any(own["cell_type"] != cell["cell_type"] for own in copies):
                self.notes.append(f"The type of the cell '{name}' had been changed.")
            if answer or not (nbgrader or {"task", "parameters"} & {*metadata.get("tags", [])}):
                continue
            if not copies:
                self.notes.append(f"The cell '{name}' was missing; it was put back.")
            elif any(own["source"].rstrip() != cell["source"].rstrip() for own in copies):
                self.notes.append(f"The cell '{name}' belongs to the task; its own text was used.")

    def _own_cells(self) -> dict[str | None, list[dict[str, Any]]]:
        """The learner's own cells, by the released cell that they follow (None: the top)."""
        own: dict[str | None, list[dict[str, Any]]] = {}
        place, number = None, 0
        for cell, claim in zip(self.submitted, self.claims, strict=True):
            if claim is not None:
                place = claim
            elif cell["source"].strip():
                number += 1
                own.setdefault(place, []).append(_bare(cell, f"own-{number}"))
        return own


def _bare(cell: Cell, name: str) -> dict[str, Any]:
    """An own cell without metadata, which could ask for anything (`skip-execution`, points)."""
    kind = cell["cell_type"] if cell["cell_type"] in ("code", "raw") else "markdown"
    bare = {"cell_type": kind, "id": name, "metadata": {}, "source": cell["source"]}
    return bare | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _injected(cell: Cell) -> bool:
    """Whether papermill put the cell there."""
    return "injected-parameters" in ((cell.get("metadata") or {}).get("tags") or [])


def _definitions(source: str) -> set[str]:
    """The functions and classes that a cell defines at its top level; none in what is no Python."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {statement.name for statement in body if isinstance(statement, kinds)}
