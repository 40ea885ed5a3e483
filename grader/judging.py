"""From evidence to a score: the same rules wherever the evidence was gathered.

Knows neither PyTorch nor notebooks: the referee of graded assignments judges by it as well.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grader import host, records
from grader.race import NEED, ZONE, Verdict, judge
from grader.score import Card, Outcome, Part, Row, Score

BUSY = 0.25  # cores kept busy by others, from which a lost race on several cores says nothing

RunRace = Callable[[float], Verdict]  # races at a goal


class Refused(Exception):
    """The fix gets no points; the card says why."""

    def __init__(
        self, outcome: Outcome, message: str, *, rows: Sequence[Row] = (), **card: str
    ) -> None:
        super().__init__(message)
        self.outcome, self.message, self.rows, self.card = outcome, message, list(rows), card


@dataclass(frozen=True)
class Terms:
    """What the two graded cells of one exercise are judged by, on one class of machine.

    points     of the check and of the race
    not_raced  why no race can be judged on this machine; empty where one can
    cores      how many cores the race needs
    """

    exercise: str
    points: Mapping[Part, int]
    goal: records.Goal
    not_raced: str
    cores: int

    def score(
        self, part: Part, outcome: Outcome, message: str, *, share: float = 0.0, rows=(), **card
    ) -> Score:
        maximum = self.points[part]
        card = Card(self.exercise, part, outcome, message, list(rows), **card)
        return Score(share * maximum, maximum, card)

    def refused(self, part: Part, why: Refused) -> Score:
        return self.score(part, why.outcome, why.message, rows=why.rows, **why.card)

    def checked(self, rows: Sequence[Row]) -> Score:
        """The score of a right answer by its counts."""
        unmet = next((row for row in rows if row.met is False), None)
        if unmet is None:
            outcome, message = "passed", "The answer is right, and every count is reached."
        else:
            outcome, message = missed(unmet)
        return self.score("check", outcome, message, share=_share_met(rows), rows=rows)

    def raced(self, rows: Sequence[Row], run_race: RunRace) -> Score:
        """The score of a race by a right answer with these counts."""
        share = _share_met(rows)
        if self.not_raced:
            return self._carried(share, self.not_raced)
        goal = self.goal
        if not goal.raced:
            return self._carried(
                share,
                "On this class of machine the effect is too small to be graded by a clock "
                f"(goal {goal.speedup:.2f}).",
                run_race(1.0),
            )
        verdict = run_race(goal.speedup)
        if verdict.decision == "reached":
            message = f"As fast as needed, decided in {verdict.seconds:.1f} s."
            return self.score("race", "passed", message, share=1.0, rows=[_race_row(verdict)])
        if verdict.decision == "inconclusive" or self._machine_is_busy():
            return self._inconclusive(verdict)
        if not goal.measured:
            return self._carried(
                share,
                "This class of machine has no record yet, so missing the general goal costs "
                "nothing. `python -m grader measure` makes a record.",
                verdict,
            )
        return self._missed_goal(verdict, run_race)

    def _machine_is_busy(self) -> bool:
        """Whether others keep cores busy that this race needs: losing it then says nothing."""
        if self.cores == 1:
            return False
        load = host.background_load()
        return load is None or load > BUSY

    def _missed_goal(self, verdict: Verdict, run_race: RunRace) -> Score:
        """Half the points from half the goal's logarithmic gain on, where that can be told."""
        half = math.sqrt(verdict.goal)
        rows = [_race_row(verdict)]
        if half >= records.SMALLEST_GOAL and verdict.speedup > half / 1.15:
            second = run_race(half)
            if second.decision == "inconclusive":
                return self._inconclusive(second)
            if second.decision == "reached":
                message = f"Faster by half of what is needed ({half:.2f} times); there is more."
                return self.score("race", "short of the goal", message, share=0.5, rows=rows)
        if verdict.waits:
            message = "Less processor time, but more waiting: by the wall clock it is not faster."
            return self.score("race", "slower", message, rows=rows)
        # Shifted by the zone, the far line is 1: the fix is slower, beyond luck.
        if judge([math.log(heat.speedup) + ZONE for heat in verdict.heats]) == "not reached":
            message = "Your version takes longer than the slow one."
            return self.score("race", "slower", message, rows=rows)
        return self.score("race", "short of the goal", "Not fast enough yet.", rows=rows)

    def _inconclusive(self, verdict: Verdict) -> Score:
        if len(verdict.heats) < NEED[0]:
            reason = f"Only {len(verdict.heats)} heats fitted into the time."
        else:
            reason = "The machine was too busy to tell."
        return self.score(
            "race",
            "inconclusive",
            f"{reason} This costs nothing.",
            rows=[_race_row(verdict, met=None)],
            advice="Close other programs and run this cell again.",
        )

    def _carried(self, share: float, reason: str, verdict: Verdict | None = None) -> Score:
        """Not measurable here: the points of the race follow the counts."""
        return self.score(
            "race",
            "not measurable here",
            f"{reason} The points of this cell follow the counts of the check.",
            share=share,
            rows=[_race_row(verdict, met=None)] if verdict else [],
        )


def missed(row: Row) -> tuple[Outcome, str]:
    """Outcome and message for a count that is not what was needed."""
    outcome: Outcome = "too few" if row.below else "too many"
    return outcome, f"{outcome.capitalize()} {row.what}: {row.yours}, needed: {row.needed}."


def _share_met(rows: Sequence[Row]) -> float:
    judged = [row.met for row in rows if row.met is not None]
    return sum(judged) / len(judged) if judged else 1.0


def _race_row(verdict: Verdict, met: bool | None = ...) -> Row:
    low, high = verdict.middle_half
    return Row(
        what=f"times as fast ({len(verdict.heats)} heats)",
        needed=f"at least {verdict.goal:.2f}",
        yours=f"{verdict.speedup:.2f} (middle half {low:.2f} to {high:.2f})",
        slow="1",
        met=verdict.decision == "reached" if met is ... else met,
    )
