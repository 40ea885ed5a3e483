"""What a count has to be: at most, at least, exactly; absolute or relative to the slow version."""

import math
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Limit:
    """Made by `at_most`, `at_least` and `exactly`."""

    kind: Literal["at most", "at least", "exactly"]
    value: float
    share: bool  # `value` is a share of the slow version's count
    device: str | None  # judged on this type of device only

    def bound(self, slow: float) -> float:
        return self.value * slow if self.share else self.value

    def met(self, count: float, slow: float) -> bool:
        bound = self.bound(slow)
        if self.kind == "at most":
            return count <= bound
        return count >= bound if self.kind == "at least" else count == bound

    def describe(self, slow: float) -> str:
        return f"{self.kind} {number(self.bound(slow))}"


def at_most(
    value: float | None = None, *, share: float | None = None, device: str | None = None
) -> Limit:
    """A count of at most `value`, or at most `share` of the slow version's count.

    `device`: a device type such as "cuda"; elsewhere the count is shown as not measurable.
    """
    return _limit("at most", value, share, device)


def at_least(
    value: float | None = None, *, share: float | None = None, device: str | None = None
) -> Limit:
    """A count of at least `value`, or at least `share` of the slow version's count."""
    return _limit("at least", value, share, device)


def exactly(
    value: float | None = None, *, share: float | None = None, device: str | None = None
) -> Limit:
    """A count of exactly `value`, or exactly `share` of the slow version's count."""
    return _limit("exactly", value, share, device)


def _limit(kind, value: float | None, share: float | None, device: str | None) -> Limit:
    if (value is None) == (share is None):
        raise ValueError(f"{kind}: give either a value or share=…")
    return Limit(kind, share if value is None else value, value is None, device)


def number(value: float) -> str:
    """A count for a person: whole numbers with separators, others with three digits."""
    if math.isinf(value):
        return "never"  # so many steps that nobody waited for them
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
