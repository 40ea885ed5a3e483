"""Is the fix at least `goal` times as fast as the slow version? Heats, and when to stop.

A heat is one block of each version, back to back, in an order decided by a coin. The slow version
makes `n` calls and the fix `goal * n`: at the goal both blocks take equally long, so that load,
drift and throttling hit both alike and the coin alone decides who wins. Only the sign of each heat
is used, against two lines 15 % below and above the goal; a fair coin crosses `NEED` once in two
thousand races. Nothing is promised between the lines; with neither crossed the race is
inconclusive.

After the sequential sign test (Armitage, "Sequential Medical Trials", 1960) with an indifference
zone (Wald, "Sequential Tests of Statistical Hypotheses", 1945).
"""

import gc
import math
import secrets
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

# Wins needed after 0, 1, 2, … losses. The probability that a fair coin ever gets there is 0.0005,
# exactly (tests/test_race.py computes it).
NEED = (
    *(12, 17, 20, 23, 25, 27, 30, 32, 35, 37, 38, 41, 42, 44, 46),
    *(48, 50, 51, 53, 55, 57, 58, 60, 61, 63, 65, 66, 68, 70, 71),
)
MAX_HEATS = NEED[-1] + len(NEED) - 1
ZONE = math.log(1.15)  # nothing is promised within 15 % of the goal
MOST_CALLS = 200  # of the slow version in one block: inputs of a whole block are held in memory

Decision = Literal["reached", "not reached", "inconclusive"]


class Block(NamedTuple):
    """What one block took."""

    seconds: float  # by the clock that decides
    wall: float


class Arm(Protocol):
    """One side of a race."""

    def stage(self, seeds: Sequence[int]) -> None:
        """Untimed: prepare one call for every seed."""

    def run(self) -> Block:
        """Make the staged calls; the block ends when all work that they caused has ended."""


@dataclass(frozen=True)
class Heat:
    """Seconds per call of both versions in one heat, and the same by the wall clock."""

    slow: float
    fix: float
    slow_wall: float
    fix_wall: float

    @property
    def speedup(self) -> float:
        return self.slow / self.fix

    @property
    def wall_speedup(self) -> float:
        return self.slow_wall / self.fix_wall


@dataclass(frozen=True)
class Verdict:
    """How a race ended."""

    decision: Decision
    goal: float
    heats: list[Heat] = field(repr=False)
    seconds: float
    tries: int = 1
    waits: bool = False  # faster by processor time, but slower by the wall clock

    @property
    def speedup(self) -> float:
        """Median over the heats; nan without any."""
        return statistics.median(h.speedup for h in self.heats) if self.heats else math.nan

    @property
    def middle_half(self) -> tuple[float, float]:
        """The first and third quartile of the heats' speed-ups."""
        ratios = sorted(h.speedup for h in self.heats) or [math.nan]
        return ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4]


def judge(margins: Sequence[float]) -> Decision | None:
    """The decision after these heats, or None to go on.

    `margins`: for each heat ln(speed-up / goal). Sequential: call it after every heat.
    """
    total = len(margins)
    above = sum(margin > -ZONE for margin in margins)
    below = sum(margin < ZONE for margin in margins)
    reached, missed = _lopsided(above, total - above), _lopsided(below, total - below)
    if reached and missed:
        return "reached" if statistics.median(margins) >= 0 else "not reached"
    return "reached" if reached else "not reached" if missed else None


def _unanimous(margins: Sequence[float]) -> bool:
    """Whether every heat so far speaks for the same decision, and more are needed to make it."""
    agree = all(margin > -ZONE for margin in margins) or all(margin < ZONE for margin in margins)
    return agree and len(margins) < NEED[0]


def _lopsided(wins: int, losses: int) -> bool:
    return losses < len(NEED) and wins >= NEED[losses]


def calls_per_block(seconds_per_call: float, goal: float, block: float) -> tuple[int, int]:
    """Calls of the slow version and of the fix in one heat.

    About `block` seconds of the slow version, raised until the fix's whole number of calls is
    within 8 % of `goal` times as many. Both follow from one timing: two separate timings of a
    loaded machine would give blocks of unequal length, which load does not treat alike.
    """
    slow = max(1, min(MOST_CALLS, round(block / seconds_per_call)))
    while not _within(round(goal * slow), goal * slow, 0.08):
        slow += 1
    return slow, round(goal * slow)


def _within(whole: int, exact: float, share: float) -> bool:
    return whole > 0 and abs(math.log(whole / exact)) <= share


def heats(
    slow: Arm,
    fix: Arm,
    goal: float,
    *,
    block: float = 0.02,
    warm_up: float = 2.0,
    coin: Callable[[], int] = lambda: secrets.randbits(1),
    new_seed: Callable[[], int] = lambda: secrets.randbits(31),
) -> Iterator[Heat]:
    """Warm both versions up, then run one heat after another, without end.

    `block`: seconds of one block (single calls where a call is longer). `warm_up`: seconds at most
    for each version. In a heat both versions get the same seeds as far as they reach.
    """
    gc.collect()
    gc.freeze()  # the collection before every block then costs nothing instead of some 60 ms
    try:
        _warm_up(fix, block, warm_up, new_seed)
        seconds = _warm_up(slow, block, warm_up, new_seed)
        slow_calls, fix_calls = calls_per_block(seconds, goal, block)
        while True:
            seeds = [new_seed() for _ in range(max(slow_calls, fix_calls))]
            slow.stage(seeds[:slow_calls])
            fix.stage(seeds[:fix_calls])
            if coin():
                of_slow, of_fix = slow.run(), fix.run()
            else:
                of_fix, of_slow = fix.run(), slow.run()
            yield Heat(
                slow=of_slow.seconds / slow_calls,
                fix=of_fix.seconds / fix_calls,
                slow_wall=of_slow.wall / slow_calls,
                fix_wall=of_fix.wall / fix_calls,
            )
    finally:
        gc.unfreeze()


def _warm_up(arm: Arm, block: float, limit: float, new_seed: Callable[[], int]) -> float:
    """Run short blocks until two in a row agree within 20 %; returns seconds per call."""
    start, calls, previous = time.perf_counter(), 1, None
    while True:
        arm.stage([new_seed() for _ in range(calls)])
        seconds = max(arm.run().seconds / calls, 1e-9)
        if previous and abs(math.log(seconds / previous)) < 0.2:
            return seconds
        if time.perf_counter() - start > limit:
            return seconds
        calls, previous = max(1, min(MOST_CALLS, round(block / seconds))), seconds


def race(
    slow: Arm,
    fix: Arm,
    goal: float,
    *,
    budget: float = 10.0,
    block: float = 0.02,
    after_heat: Callable[[Heat, int], None] = lambda heat, number: None,
    **random_sources: Callable[[], int],
) -> Verdict:
    """Race until the score is too lopsided for luck, or `budget` seconds are over.

    If the budget runs out, one second try with blocks three times as long: short blocks cope best
    with load that comes and goes, long ones with regular time slicing. A try whose few heats all
    agree goes on instead, for three budgets at most. `after_heat(heat, number)` may raise to end
    the race.
    """
    start = time.perf_counter()
    tries = 0
    for length in (block, 3 * block):
        tries += 1
        run: list[Heat] = []
        decision, began = None, time.perf_counter()
        source = heats(
            slow, fix, goal, block=length, warm_up=min(2.0, budget / 5), **random_sources
        )
        try:
            while decision is None and len(run) < MAX_HEATS:
                heat = next(source)
                run.append(heat)
                after_heat(heat, len(run))
                margins = [math.log(h.speedup / goal) for h in run]
                decision = judge(margins)
                spent = time.perf_counter() - began
                if spent > (3 * budget if _unanimous(margins) else budget):
                    break
        finally:
            source.close()
        if decision:
            break
    waits = decision == "reached" and (
        judge([math.log(h.wall_speedup / goal) for h in run]) == "not reached"
    )
    return Verdict(
        decision="not reached" if waits else decision or "inconclusive",
        goal=goal,
        heats=run,
        seconds=time.perf_counter() - start,
        tries=tries,
        waits=waits,
    )
