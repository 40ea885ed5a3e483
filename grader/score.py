"""`Score`: a number that nbgrader reads as points and a person reads as a card."""

import html
import math
from dataclasses import dataclass, field, replace
from typing import Literal

Outcome = Literal[
    "passed",
    "not attempted",
    "error",
    "wrong answer",
    "inputs changed",
    "global state changed",
    "too many",
    "too few",
    "slower",
    "short of the goal",
    "inconclusive",
    "not measurable here",
    "rejected",  # by the referee of official grading
]
Part = Literal["check", "race"]
MIME = "application/vnd.grader.score+json"
_COLOURS = {
    "passed": "#2e7d32",
    "not attempted": "#757575",
    "inconclusive": "#1565c0",
    "not measurable here": "#1565c0",
    "short of the goal": "#e08600",
    "too many": "#e08600",
    "too few": "#e08600",
}
_REFUSED = "#c62828"


@dataclass(frozen=True)
class Row:
    """One line of evidence: what was measured, what was needed, and what was found."""

    what: str
    needed: str
    yours: str
    slow: str = ""
    met: bool | None = None  # None: shown for interest
    below: bool = False  # a count that is less than what was needed


@dataclass(frozen=True)
class Card:
    """What a learner is told about one graded cell."""

    exercise: str
    part: Part
    outcome: Outcome
    message: str
    rows: list[Row] = field(default_factory=list)
    advice: str = ""
    details: str = ""  # a traceback, or what the code printed
    details_title: str = ""


class Score(float):
    """Points of one graded cell, at most `maximum` and never nan, with the card that explains them.

    `repr` is the plain number, which is all that nbgrader reads; `str` is the card as text.
    Raises ValueError for points outside 0..maximum.
    """

    maximum: float
    card: Card

    def __new__(cls, points: float, maximum: float, card: Card) -> "Score":
        if math.isnan(points) or not 0 <= points <= maximum:
            raise ValueError(f"{points} is no number of points between 0 and {maximum}")
        score = super().__new__(cls, points)
        score.maximum, score.card = maximum, card
        return score

    def __reduce__(self) -> tuple:
        return Score, (float(self), self.maximum, self.card)

    @property
    def outcome(self) -> Outcome:
        return self.card.outcome

    def with_details(self, title: str, text: str) -> "Score":
        """The same points; the card shows `text` below everything else."""
        card = replace(self.card, details=text, details_title=title)
        return Score(float(self), self.maximum, card)

    def __repr__(self) -> str:
        return float.__repr__(self)

    def __str__(self) -> str:
        card = self.card
        lines = [f"{card.outcome.upper()}: {self._points()} ({card.exercise}, {card.part})"]
        lines.append(card.message)
        if card.rows:
            lines += _text_table(card.rows)
        lines += [text for text in (card.advice,) if text]
        if card.details:
            lines += [f"{card.details_title}:", card.details]
        return "\n".join(lines)

    def _points(self) -> str:
        word = "point" if self.maximum == 1 else "points"
        return f"{_plain(float(self))} of {_plain(self.maximum)} {word}"

    def _repr_html_(self) -> str:
        card = self.card
        colour = _COLOURS.get(card.outcome, _REFUSED)
        parts = [
            f'<div style="border-left: 5px solid {colour}; padding: 0.3em 1em; margin: 0.3em 0">',
            f"<p><strong>{html.escape(card.outcome[0].upper() + card.outcome[1:])}</strong>"
            f" · {self._points()}</p>",
            f"<p>{html.escape(card.message)}</p>",
        ]
        if card.rows:
            parts.append(_html_table(card.rows))
        if card.advice:
            parts.append(f"<p><em>{html.escape(card.advice)}</em></p>")
        if card.details:
            parts.append(
                f"<p>{html.escape(card.details_title)}:</p><pre>{html.escape(card.details)}</pre>"
            )
        return "".join([*parts, "</div>"])

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        card = self.card
        return {
            "text/plain": repr(self),
            "text/html": self._repr_html_(),
            MIME: {
                "exercise": card.exercise,
                "part": card.part,
                "outcome": card.outcome,
                "message": card.message,
                "points": float(self),
                "max": self.maximum,
            },
        }


def _plain(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _mark(row: Row) -> str:
    return {True: "met", False: "not met", None: ""}[row.met]


def _cells(row: Row) -> list[str]:
    return [row.what, row.needed, row.yours, row.slow, _mark(row)]


_HEADINGS = ["what", "needed", "yours", "slow version", ""]


def _text_table(rows: list[Row]) -> list[str]:
    table = [_HEADINGS, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(_HEADINGS))]
    padded = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in table
    ]
    return ["  " + line.rstrip() for line in padded]


def _html_table(rows: list[Row]) -> str:
    def line(cells: list[str], tag: str) -> str:
        style = ' style="text-align: left; padding-right: 1.5em"'
        return "<tr>" + "".join(f"<{tag}{style}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "".join(line(_cells(row), "td") for row in rows)
    return f"<table><thead>{line(_HEADINGS, 'th')}</thead><tbody>{body}</tbody></table>"
