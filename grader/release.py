"""The learners' notebooks/, generated from solutions/ by nbgrader's own steps.

Built in a temporary folder with a gradebook of its own, then put in place folder by folder.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grader import notebook

SOURCES = "solutions"
RELEASE = "notebooks"


class ReleaseError(RuntimeError):
    """The release cannot be made; says why, and what to do."""


def release(root: str | os.PathLike, check: bool = False) -> list[str]:
    """Bring `root`/notebooks up to date with `root`/solutions; return what was out of date.

    A source that is not in its canonical form is rewritten in it. With `check`, nothing is
    written. Where this raises, notebooks/ holds what it held.

    Raises ReleaseError where a source has problems, or nbgrader is missing or fails.
    """
    root = Path(root).resolve()
    sources = _folders(root / SOURCES)
    if not sources:
        raise ReleaseError(f"nothing to release: there are no folders in {root / SOURCES}")
    faults = [f"{SOURCES}/{path.name}: {fault}" for path in sources for fault in _faults(path)]
    if faults:
        raise ReleaseError("\n".join(faults))

    var = root / "var"
    if not check:
        var.mkdir(exist_ok=True)
    # In the same folder as notebooks/, so that a rename can put the new one in place.
    place = None if check else var
    with tempfile.TemporaryDirectory(dir=place, prefix="release-") as temporary:
        course = Path(temporary)
        _build(sources, course)
        old, new = root / RELEASE, course / RELEASE
        names = sorted({path.name for path in _folders(old) + _folders(new)})
        changes = {name: list(_differences(name, old / name, new / name)) for name in names}
        untidy = [path for path in map(_notebook, sources) if not _is_canonical(path)]
        if not check:
            for path in untidy:
                notebook.write(path, notebook.read(path))
            old.mkdir(exist_ok=True)
            attic = course / "old"
            attic.mkdir()
            for name in names:
                if changes[name]:
                    _swap(new / name, old / name, attic / name)

    found = [f"{path.relative_to(root).as_posix()}: not in canonical form" for path in untidy]
    return found + [line for lines in changes.values() for line in lines]


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    return sorted(path for path in parent.iterdir() if path.is_dir() and _counts(path))


def _counts(path: Path) -> bool:
    return not path.name.startswith(".") and path.name != "__pycache__"


def _notebook(folder: Path) -> Path:
    return folder / f"{folder.name}.ipynb"


def _is_canonical(path: Path) -> bool:
    return path.read_bytes() == notebook.canonical(notebook.read(path))


def _faults(folder: Path) -> Iterator[str]:
    """Yield what keeps the source in `folder` from being released."""
    path = _notebook(folder)
    others = sorted(other.name for other in folder.glob("*.ipynb") if other != path)
    if not path.is_file():
        yield f"has no {path.name}"
        return
    if others:
        yield f"has another notebook than {path.name}: {', '.join(others)}"
    try:
        nb = _canonical(path)
    except notebook.NotebookError as error:
        yield str(error)
        return
    yield from notebook.problems(nb)
    for grade_id, source in notebook.solution_cells(nb).items():
        for view in (notebook.starter, notebook.reference):
            try:
                compile(view(source), f"{view.__name__} of {grade_id}", "exec")
            except (notebook.NotebookError, SyntaxError) as error:
                yield f"cell {grade_id}: {error}"
                break
    for module in sorted(folder.rglob("*.py")):
        if "BEGIN SOLUTION" in module.read_text(encoding="utf-8"):
            yield f"{module.name} holds a solution, and learners get it as it is"


def _canonical(path: Path) -> dict:
    """Return the notebook as it is once in canonical form: an author's outputs are no fault."""
    return notebook.parse(notebook.canonical(notebook.read(path)), path)


def _build(sources: list[Path], course: Path) -> None:
    """Generate `course`/notebooks from copies of the folders `sources`."""
    try:
        from grader import nbgrader_plugins
    except ModuleNotFoundError as error:
        raise ReleaseError(
            f"{error.name} is missing: install with  pip install -e .[course]"
        ) from error
    for folder in sources:
        copy = course / SOURCES / folder.name
        shutil.copytree(folder, copy)
        notebook.write(_notebook(copy), notebook.read(_notebook(copy)))
    try:
        nbgrader_plugins.generate(course)
    except RuntimeError as error:
        raise ReleaseError(f"nbgrader could not generate the notebooks:\n{error}") from error


def _differences(name: str, old: Path, new: Path) -> Iterator[str]:
    if not new.is_dir():
        yield f"{RELEASE}/{name}: has no source in {SOURCES}/"
        return
    before, after = _files(old), _files(new)
    for file in sorted(before.keys() | after.keys()):
        if file not in before:
            yield f"{RELEASE}/{name}/{file}: missing"
        elif file not in after:
            yield f"{RELEASE}/{name}/{file}: not part of the release"
        elif before[file] != after[file]:
            yield f"{RELEASE}/{name}/{file}: differs from its source"


def _files(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files under `folder` by relative path, without hidden ones."""
    files = {}
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if path.is_file() and all(map(_counts, map(Path, relative.parts))):
            files[relative.as_posix()] = path.read_bytes()
    return files


def _swap(new: Path, current: Path, attic: Path) -> None:
    """Move the folder `current` to `attic` and `new` into its place; either may be missing."""
    if current.exists():
        current.rename(attic)
    if new.exists():
        try:
            new.rename(current)
        except OSError:
            if attic.exists():
                attic.rename(current)
            raise
