"""Notebooks as plain JSON: their one canonical form, and their exercises run outside Jupyter.

Standard library only, so that it also works on a machine that has torch and no Jupyter.

A notebook in memory is what `json.loads` gives, with every cell's source joined into one string.
"""

import ast
import importlib
import itertools
import json
import linecache
import os
import re
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

TOTAL_POINTS = 10

METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
# `deletable` and `editable` are what nbgrader locks a learner's cell with.
CELL_METADATA = ("nbgrader", "tags", "grader", "deletable", "editable")

_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# What Jupyter gives a new cell: eight hexadecimal digits, or a UUID.
_MACHINE_MADE = re.compile(r"(?=.*[0-9])[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?")

_MARKER = re.compile(r"\s*### ((?:BEGIN|END) (?:SOLUTION|STARTER))\s*")
_LIKE_A_MARKER = re.compile(r"(BEGIN|END) (SOLUTION|STARTER)")
# Part of the cell and marker -> part of the cell that follows.
_PARTS = {
    ("shared", "BEGIN SOLUTION"): "reference",
    ("reference", "BEGIN STARTER"): "starter",
    ("starter", "END STARTER"): "reference",
    ("reference", "END SOLUTION"): "shared",
}


class NotebookError(ValueError):
    """A notebook that does not have the form that the course needs; says where and what to do."""


# ---- reading, writing, the canonical form ------------------------------------------------------


def read(path: str | os.PathLike) -> dict[str, Any]:
    """Return the notebook in the file `path`.

    Raises FileNotFoundError, or NotebookError where the file is no notebook of format 4.
    """
    return parse(Path(path).read_bytes(), path)


def parse(content: bytes, path: str | os.PathLike) -> dict[str, Any]:
    """Return the notebook that is written in `content`; `path` names it in error messages."""
    try:
        nb = json.loads(content)
    except ValueError as error:
        raise NotebookError(f"{path} is not a notebook: {error}") from error
    if not isinstance(nb, dict) or nb.get("nbformat") != 4 or "cells" not in nb:
        raise NotebookError(
            f"{path} is not a notebook of format 4: open it in JupyterLab and save it again"
        )
    for cell in nb["cells"]:
        cell["source"] = _text(cell)
    return nb


def write(path: str | os.PathLike, nb: Mapping[str, Any]) -> None:
    """Write the canonical form of `nb` to the file `path`: beside it first, then renamed."""
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(canonical(nb))
    beside.replace(path)


def canonical(nb: Mapping[str, Any]) -> bytes:
    """Return the bytes of `nb` as they are committed: one form for each notebook, UTF-8.

    Format 4.5 as nbformat writes it (sorted keys, indent 1, source as lines), without outputs,
    execution counts, trailing blank lines in cells, and metadata that the course does not use.
    The id of a cell of nbgrader's is its grade_id; other ids are kept.
    """
    tidy = {
        "cells": [_canonical_cell(cell) for cell in nb["cells"]],
        "metadata": METADATA,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    text = json.dumps(tidy, sort_keys=True, indent=1, ensure_ascii=False)
    return (text + "\n").encode()


def _canonical_cell(cell: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {}
    for key in CELL_METADATA:
        value = cell.get("metadata", {}).get(key)
        # Cells are deletable and editable unless it says otherwise.
        if value not in (None, {}, [], True):
            metadata[key] = value
    nbgrader = metadata.get("nbgrader", {})
    points = nbgrader.get("points")
    if isinstance(points, float) and points.is_integer():
        metadata["nbgrader"] = nbgrader | {"points": int(points)}

    tidy = {
        "cell_type": cell["cell_type"],
        "metadata": metadata,
        "source": _text(cell).rstrip().splitlines(keepends=True),
    }
    cell_id = nbgrader.get("grade_id") or cell.get("id")
    if cell_id:
        tidy["id"] = cell_id
    if cell.get("attachments"):
        tidy["attachments"] = cell["attachments"]
    if cell["cell_type"] == "code":
        tidy |= {"execution_count": None, "outputs": []}
    return tidy


def _text(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


# ---- what is wrong with a notebook -------------------------------------------------------------


def problems(nb: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each way in which `nb` is not a notebook of this course."""
    found = []
    version = f"{nb.get('nbformat')}.{nb.get('nbformat_minor')}"
    if version != "4.5":
        found.append(f"the notebook has format {version}, not 4.5")
    for key, value in nb.get("metadata", {}).items():
        if key not in METADATA:
            found.append(f"the notebook has unknown metadata {key!r}")
        elif value != METADATA[key]:
            found.append(f"the notebook's {key} is not {METADATA[key]}")

    seen = set()
    total = 0
    for position, cell in enumerate(nb["cells"], start=1):
        cell_id = cell.get("id")
        where = f"cell {position} ({cell_id})" if cell_id else f"cell {position}"
        found += [f"{where} {problem}" for problem in _cell_problems(cell)]
        if cell_id in seen:
            found.append(f"{where} has an id that an earlier cell has")
        seen.add(cell_id or position)
        total += _points(cell)

    if total != TOTAL_POINTS:
        found.append(f"the graded cells add up to {total:g} points, not {TOTAL_POINTS}")
    tagged = sum("parameters" in _tags(cell) for cell in nb["cells"])
    if tagged != 1:
        found.append(f"{tagged or 'no'} cells are tagged 'parameters'; there must be one")
    return found


def _cell_problems(cell: Mapping[str, Any]) -> Iterator[str]:
    cell_id = cell.get("id")
    nbgrader = _nbgrader(cell)
    if not cell_id:
        yield "has no id"
    elif nbgrader and cell_id != nbgrader.get("grade_id"):
        yield f"has another id than its grade_id, {nbgrader.get('grade_id')!r}"
    elif not _KEBAB.fullmatch(cell_id) or _MACHINE_MADE.fullmatch(cell_id):
        yield "needs a readable id in kebab-case, such as 'slow-epoch'"

    for key in cell.get("metadata", {}):
        if key not in CELL_METADATA:
            yield f"has unknown metadata {key!r}"
    if cell.get("outputs") or cell.get("execution_count") is not None:
        yield "has outputs or an execution count"
    if cell.get("attachments"):
        yield "has an attachment; draw pictures by code"
    if _text(cell) != _text(cell).rstrip():
        yield "ends in blank lines or spaces"
    if "HIDDEN TESTS" in _text(cell):
        yield "has hidden tests; what decides a grade stands in cells that the learner can read"

    if nbgrader:
        if nbgrader.get("schema_version") != 3:
            yield "has nbgrader metadata of another schema_version than 3"
        points = nbgrader.get("points", 0)
        if isinstance(points, bool) or not isinstance(points, int):
            yield f"has {points!r} points; they must be a whole number"
    if _is_graded(cell):
        if not nbgrader.get("locked"):
            yield "is graded and not locked"
        try:
            _graded_call(_text(cell))
        except NotebookError as error:
            yield str(error)


def _nbgrader(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    return cell.get("metadata", {}).get("nbgrader") or {}


def _tags(cell: Mapping[str, Any]) -> list[str]:
    return cell.get("metadata", {}).get("tags") or []


def _points(cell: Mapping[str, Any]) -> float:
    points = _nbgrader(cell).get("points", 0)
    return points if isinstance(points, int | float) else 0


def _is_graded(cell: Mapping[str, Any]) -> bool:
    nbgrader = _nbgrader(cell)
    graded = nbgrader.get("grade") and not nbgrader.get("solution")
    return cell["cell_type"] == "code" and bool(graded)


def solution_cells(nb: Mapping[str, Any]) -> dict[str, str]:
    """Return the source of each editable code cell of `nb`, by its grade_id."""
    return {
        _nbgrader(cell)["grade_id"]: _text(cell)
        for cell in nb["cells"]
        if cell["cell_type"] == "code" and _nbgrader(cell).get("solution")
    }


# ---- what a solution cell holds ----------------------------------------------------------------


def starter(source: str) -> str:
    """Return what the learner sees of the solution cell `source`: the starter, un-commented.

    Lines outside `### BEGIN SOLUTION` ... `### END SOLUTION` are kept.
    Raises NotebookError where markers are missing, nested or misspelt.
    """
    lines = []
    for number, part, line in _parts(source):
        if part == "starter" and line.strip():
            comment = re.fullmatch(r"(\s*)# ?(.*)", line)
            if not comment:
                raise NotebookError(f"line {number} of the starter is not a comment: {line}")
            line = comment[1] + comment[2]
        if part != "reference":
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")


def reference(source: str) -> str:
    """Return the solution cell `source` without its starter and without the markers.

    Raises NotebookError where markers are missing, nested or misspelt.
    """
    lines = [line.rstrip() for _, part, line in _parts(source) if part != "starter"]
    return "\n".join(lines).strip("\n")


def _parts(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line number, "shared" | "reference" | "starter", line), without the markers."""
    part = "shared"
    begun = []
    for number, line in enumerate(source.splitlines(), start=1):
        marker = _MARKER.fullmatch(line)
        if marker:
            if (part, marker[1]) not in _PARTS:
                raise NotebookError(f"line {number} of the solution cell: {line} is out of place")
            part = _PARTS[part, marker[1]]
            begun.append(marker[1])
        elif _LIKE_A_MARKER.search(line):
            raise NotebookError(
                f"line {number} of the solution cell is not quite a marker: {line}; "
                "write '### BEGIN SOLUTION' or the like on a line of its own"
            )
        else:
            yield number, part, line
    if part != "shared":
        raise NotebookError("the solution cell has no '### END SOLUTION'")
    if not begun or begun.count("BEGIN STARTER") != begun.count("BEGIN SOLUTION"):
        raise NotebookError(
            "the solution cell needs '### BEGIN SOLUTION' ... '### END SOLUTION', and in it "
            "'### BEGIN STARTER' ... '### END STARTER'"
        )


# ---- running a notebook's exercises outside Jupyter --------------------------------------------


class _Namespace:
    """The module that one notebook's cells run in, and the modules beside that notebook."""

    _numbers = itertools.count(1)

    def __init__(self, path: Path) -> None:
        self.path = path
        number = next(self._numbers)
        self.label = f"{path.stem}, load {number}"
        # Registered for good: pickle and inspect look a function's module up by its name.
        self.module = types.ModuleType(
            f"notebook_{number}_{re.sub(r'[^0-9a-zA-Z]', '_', path.stem)}"
        )
        sys.modules[self.module.__name__] = self.module
        self.beside: dict[str, types.ModuleType] = {}

    def copy(self) -> "_Namespace":
        """A module that begins as this one, and takes its place where it is looked up by name.

        The functions of this one go on to see its own values.
        """
        copied = _Namespace(self.path)
        del sys.modules[copied.module.__name__]
        copied.module.__dict__.update(vars(self.module))
        sys.modules[self.module.__name__] = copied.module
        copied.beside = self.beside
        return copied

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Make the modules beside the notebook importable, and them alone under their names.

        Two notebooks may each have a `data.py`; neither must get the other's.
        """
        folder = str(self.path.parent)
        names = [module.stem for module in self.path.parent.glob("*.py")]
        others = {name: sys.modules.pop(name) for name in names if name in sys.modules}
        sys.modules.update(self.beside)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield
        finally:
            with suppress(ValueError):
                sys.path.remove(folder)
            self.beside = {name: sys.modules.pop(name) for name in names if name in sys.modules}
            sys.modules.update(others)

    def file(self, cell_id: str, source: str) -> str:
        """Register `source` under a file name that no other cell has, and return that name."""
        name = f"<{self.label}, cell {cell_id}>"
        # No modification time: linecache then never looks for the file on the disk.
        linecache.cache[name] = (len(source), None, (source + "\n").splitlines(True), name)
        return name

    def run(self, cell_id: str, source: str) -> None:
        file = self.file(cell_id, source)
        with self.naming(cell_id):
            exec(_compile(source, file, cell_id), self.module.__dict__)

    def value(self, cell_id: str, file: str, expression: ast.expr) -> Any:
        with self.naming(cell_id):
            return eval(compile(ast.Expression(expression), file, "eval"), self.module.__dict__)

    @contextmanager
    def naming(self, cell_id: str) -> Iterator[None]:
        """Add to an error the cell that it happened in."""
        try:
            yield
        except Exception as error:
            error.add_note(f"in cell {cell_id!r} of {self.path.name}")
            raise


@dataclass(frozen=True)
class GradedCall:
    """A graded cell, `exercise.check(fix)` or `exercise.race(fix)`, ready to be called."""

    grade_id: str
    points: int
    exercise: Any
    part: str  # "check" or "race"
    fix: Any
    _namespace: _Namespace = field(repr=False, compare=False)
    _fix: ast.expr = field(repr=False, compare=False)

    def in_use(self) -> AbstractContextManager[None]:
        """Make the modules beside the notebook importable: loader workers pickle by their names."""
        return self._namespace.in_use()

    def score(self) -> Any:
        """Call it and return its Score."""
        with self.in_use():
            return getattr(self.exercise, self.part)(self.fix)

    @property
    def task(self) -> types.ModuleType:
        """The module in which the cells were run."""
        return self._namespace.module

    def answered(self, cell: str, source: str) -> "GradedCall":
        """The same call with what `source` defines, as the solution cell `cell` of that name.

        It is run in a module of its own, which begins as a copy of the task's: the exercise, and
        what that uses, do not see the names that it sets.
        """
        namespace = self._namespace.copy()
        with namespace.in_use():
            namespace.run(cell, source)
            fix = namespace.value(self.grade_id, f"<{self.grade_id}>", self._fix)
        return replace(self, fix=fix, _namespace=namespace)


def load(
    path: str | os.PathLike,
    solution: Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> list[GradedCall]:
    """Run the cells that the exercises of the notebook `path` need; return its graded cells.

    In order, and in one fresh module: the cells tagged `parameters` (after which `parameters`
    override their values) or `task`, and the solution cells, whose source `solution` replaces
    by grade_id. Needs torch and whatever these cells import, and no Jupyter.

    Raises NotebookError for IPython's % and ! lines, for a graded cell of another form, and for
    a name in `solution` or `parameters` that the notebook does not have.
    """
    path = Path(path).resolve()
    nb = read(path)
    solution = dict(solution or {})
    unknown = sorted(solution.keys() - solution_cells(nb).keys())
    if unknown:
        known = ", ".join(solution_cells(nb)) or "none"
        raise NotebookError(f"{path.name} has no solution cell {unknown[0]!r}; it has: {known}")

    namespace = _Namespace(path)
    calls = []
    with namespace.in_use():
        for position, cell in enumerate(nb["cells"], start=1):
            if cell["cell_type"] != "code":
                continue
            cell_id = _nbgrader(cell).get("grade_id") or cell.get("id") or str(position)
            tags = _tags(cell)
            if _is_graded(cell):
                calls.append(_evaluate_graded(cell, cell_id, namespace))
            elif _nbgrader(cell).get("solution"):
                namespace.run(cell_id, solution.get(cell_id, cell["source"]))
            elif "parameters" in tags:
                namespace.run(cell_id, cell["source"])
                _override(namespace, parameters or {})
            elif "task" in tags:
                namespace.run(cell_id, cell["source"])
    return calls


def _override(namespace: _Namespace, parameters: Mapping[str, Any]) -> None:
    values = namespace.module.__dict__
    unknown = sorted(parameters.keys() - values.keys())
    if unknown:
        raise NotebookError(f"{namespace.path.name} has no parameter {unknown[0]!r}")
    values.update(parameters)


def _evaluate_graded(cell: Mapping[str, Any], cell_id: str, namespace: _Namespace) -> GradedCall:
    file = namespace.file(cell_id, cell["source"])
    with namespace.naming(cell_id):
        exercise, part, fix = _graded_call(cell["source"], file, cell_id)
    return GradedCall(
        grade_id=cell_id,
        points=_nbgrader(cell)["points"],
        exercise=namespace.value(cell_id, file, exercise),
        part=part,
        fix=namespace.value(cell_id, file, fix),
        _namespace=namespace,
        _fix=fix,
    )


def _graded_call(
    source: str, file: str = "<graded cell>", cell_id: str = "graded"
) -> tuple[ast.expr, str, ast.expr]:
    """Return (exercise, "check" | "race", fix) of a graded cell's one expression."""
    try:
        statements = _compile(source, file, cell_id, ast.PyCF_ONLY_AST).body
    except SyntaxError as error:
        raise NotebookError(f"is not Python: {error}") from error
    match statements:
        case [
            ast.Expr(
                ast.Call(
                    ast.Attribute(ast.Name() as exercise, "check" | "race" as part),
                    [fix],
                    [],
                )
            )
        ]:
            return exercise, part, fix
    raise NotebookError(
        "must be one expression, such as 'exercise.check(epoch)' or 'exercise.race(epoch)'"
    )


def _compile(source: str, file: str, cell_id: str, flags: int = 0) -> Any:
    try:
        return compile(source, file, "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        lines = source.splitlines()
        line = lines[error.lineno - 1].strip() if 0 < (error.lineno or 0) <= len(lines) else ""
        if line.startswith(("%", "!")):
            raise NotebookError(
                f"cell {cell_id!r} uses IPython's {line!r}; a cell that the exercise needs "
                "must be plain Python"
            ) from error
        raise
