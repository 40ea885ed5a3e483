"""Measured records, the goals that follow from them, and the claims that they support.

A record is what the reference solution of an exercise did on one class of machine. Shipped records
stand in `grader/records.json`; a machine's own, which win, in `var/records.json`.
"""

import html
import json
import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

SHIPPED = Path(__file__).with_name("records.json")
SMALLEST_GOAL = 1.25  # a race for less says little on an ordinary machine


@dataclass(frozen=True)
class Record:
    """The reference solution against the slow version on one machine."""

    exercise: str
    device_class: str
    device: str  # one line: device, cores, torch
    torch: str
    date: str  # YYYY-MM-DD
    clock: str
    heats: int
    median: float
    low: float  # 99 % interval of the median speed-up
    high: float
    slow_ms: float  # median milliseconds of one call of the slow version


class Goal(NamedTuple):
    """What a race needs on one class of machine."""

    speedup: float
    measured: bool  # follows from a record of this class
    raced: bool  # False: too small an effect here, graded by its counts


def goal_from(low: float) -> Goal:
    """The goal where the reference reaches at least `low`: min(sqrt(low), low / 1.3)."""
    speedup = min(math.sqrt(low), low / 1.3)
    return Goal(speedup, measured=True, raced=speedup >= SMALLEST_GOAL)


def goal_for(exercise: str, device_class: str) -> Goal:
    """The goal of an exercise on a class of machine; 1.25 where the class has no record yet."""
    record = find(exercise, device_class)
    if record is None:
        return Goal(SMALLEST_GOAL, measured=False, raced=True)
    return goal_from(record.low)


def median_interval(values: Sequence[float], confidence: float = 0.99) -> tuple[float, float]:
    """A distribution-free confidence interval of the median, from order statistics.

    Raises ValueError where there are too few values for that confidence (8 are needed for 0.99).
    """
    ordered, count = sorted(values), len(values)
    tail, rank = 0.5**count, 0
    if 2 * tail > 1 - confidence:
        raise ValueError(f"{count} values are too few for a {confidence:.0%} interval")
    while 2 * (tail + math.comb(count, rank + 1) * 0.5**count) <= 1 - confidence:
        rank += 1
        tail += math.comb(count, rank) * 0.5**count
    return ordered[rank], ordered[count - 1 - rank]


def var_folder() -> Path:
    """Where everything made at run time goes: `GRADER_VAR`, or `var` in the course's folder.

    Outside of a checkout (an installed package on Colab) that is `var` in the working directory.
    """
    if "GRADER_VAR" in os.environ:
        return Path(os.environ["GRADER_VAR"])
    course = Path(__file__).parent.parent
    return (course if (course / "solutions").is_dir() else Path.cwd()) / "var"


def own_file() -> Path:
    return var_folder() / "records.json"


def read(file: Path) -> list[Record]:
    """The records of one file; an absent file holds none. Raises ValueError for a damaged one."""
    try:
        text = file.read_text()
    except FileNotFoundError:
        return []
    try:
        return [Record(**entry) for entry in json.loads(text)]
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file} is damaged ({error}): delete it, or measure again") from error


def load() -> list[Record]:
    """All records, this machine's own in the place of shipped ones."""
    merged = {(r.exercise, r.device_class): r for r in read(SHIPPED)}
    merged |= {(r.exercise, r.device_class): r for r in read(own_file())}
    return list(merged.values())


def find(exercise: str, device_class: str) -> Record | None:
    for record in load():
        if (record.exercise, record.device_class) == (exercise, device_class):
            return record
    return None


def store(new: Sequence[Record], file: Path) -> None:
    """Add records to a file, in the place of those of the same exercise and class."""
    merged = {(r.exercise, r.device_class): r for r in [*read(file), *new]}
    ordered = [asdict(merged[key]) for key in sorted(merged)]
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=file.name, text=True)
    with os.fdopen(handle, "w") as out:
        out.write(json.dumps(ordered, indent=1) + "\n")
    os.chmod(beside, 0o644)
    os.replace(beside, file)


class Claims:
    """The last table of a notebook: what is claimed, what this machine did, what records say.

    `rows`: (claim, its source, what this machine just did); `exercises`: ids whose records follow.
    """

    def __init__(self, rows: Sequence[tuple[str, str, str]], exercises: Sequence[str]) -> None:
        self.rows = list(rows)
        self.records = [record for record in load() if record.exercise in exercises]

    def _lines(self) -> list[list[str]]:
        lines = [["claim", "source", "this machine, now"], *map(list, self.rows)]
        for record in self.records:
            lines.append(
                [
                    f"{record.exercise}: the reference is {record.median:.2f} times as fast "
                    f"({record.low:.2f} to {record.high:.2f})",
                    f"record, {record.device}, {record.heats} heats, {record.date}",
                    "",
                ]
            )
        return lines

    def __repr__(self) -> str:
        return "\n".join(" | ".join(line) for line in self._lines())

    def _repr_html_(self) -> str:
        head, *body = (
            "<tr>"
            + "".join(
                f'<{tag} style="text-align: left">{html.escape(cell)}</{tag}>' for cell in line
            )
            + "</tr>"
            for tag, line in zip(["th"] + ["td"] * len(self._lines()), self._lines(), strict=False)
        )
        return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"
