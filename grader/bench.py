"""Our verdict beside what others would do, on the same workloads of known length, on this machine.

Every workload repeats one step, so that its true speed-up is the ratio of two whole numbers.
"""

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import torch
from torch.utils.benchmark import Timer

from grader import host, machine, race
from grader.arms import Arm

GOAL = 1.5
# name -> (repeats of the slow version, of the fix, is the goal of 1.5 reached?)
WORKLOADS = {
    "twice as fast": (60, 30, True),
    "1.725 times as fast": (69, 40, True),
    "1.3 times as fast": (39, 30, False),
    "not faster": (60, 60, False),
}
WEIGHT = torch.randn(160, 160, generator=torch.Generator().manual_seed(0)) / 12
INPUT = torch.randn(96, 160, generator=torch.Generator().manual_seed(1))
CPU = torch.device("cpu")

Work = Callable[[torch.Tensor], torch.Tensor]


def work(repeats: int) -> Work:
    """A step that costs `repeats` units."""

    def step(x: torch.Tensor) -> torch.Tensor:
        for _ in range(repeats):
            x = torch.tanh(x @ WEIGHT)
        return x

    return step


def seconds(step: Work) -> float:
    start = time.perf_counter()
    step(INPUT)
    return time.perf_counter() - start


# Every rule: (slow, fix) -> is the goal reached, or None where it does not say.


def our_race(slow: Work, fix: Work, clock: str) -> bool | None:
    arms = (Arm(step, lambda seed: (INPUT,), CPU, clock) for step in (slow, fix))
    decision = race.race(*arms, GOAL).decision
    return {"reached": True, "not reached": False, "inconclusive": None}[decision]


def ten_and_ten(slow: Work, fix: Work, summary: Callable) -> bool:
    slow_times = [seconds(slow) for _ in range(10)]
    fix_times = [seconds(fix) for _ in range(10)]
    return summary(slow_times) / summary(fix_times) >= GOAL


def blocked_autorange(slow: Work, fix: Work) -> bool:
    medians = [
        Timer("step(x)", globals={"step": step, "x": INPUT}).blocked_autorange().median
        for step in (slow, fix)
    ]
    return medians[0] / medians[1] >= GOAL


def fifteen_pairs(slow: Work, fix: Work) -> bool:
    return statistics.median(seconds(slow) / seconds(fix) for _ in range(15)) >= GOAL


RULES: dict[str, Callable[[Work, Work], bool | None]] = {
    "our race, wall clock": lambda slow, fix: our_race(slow, fix, "wall"),
    "our race, processor time": lambda slow, fix: our_race(slow, fix, "cpu"),
    "10 + 10 in turn, means": lambda slow, fix: ten_and_ten(slow, fix, statistics.mean),
    "10 + 10 in turn, minima": lambda slow, fix: ten_and_ten(slow, fix, min),
    "Timer.blocked_autorange": blocked_autorange,
    "15 pairs in fixed order, median": fifteen_pairs,
}


class Tally(NamedTuple):
    """What one rule said on all workloads."""

    wrong: int
    inconclusive: int
    verdicts: int
    seconds: list[float]

    def line(self, name: str) -> str:
        return (
            f"  {name:32}  {self.wrong:3} of {self.verdicts} wrong  "
            f"{self.inconclusive / self.verdicts:6.1%} inconclusive  "
            f"{statistics.median(self.seconds):6.2f} s median  {max(self.seconds):5.1f} s longest"
        )


def tally(rule: Callable[[Work, Work], bool | None], races: int) -> Tally:
    """Let one rule judge every workload `races` times."""
    wrong, inconclusive, spent = 0, 0, []
    for slow, fix, right in WORKLOADS.values():
        for _ in range(races):
            start = time.perf_counter()
            said = rule(work(slow), work(fix))
            spent.append(time.perf_counter() - start)
            inconclusive += said is None
            wrong += said is not None and said != right
    return Tally(wrong, inconclusive, races * len(WORKLOADS), spent)


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Programs that keep `count` cores busy; they end with the block, or with this process."""
    endless = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", endless]))
            stack.callback(process.kill)
        yield


def bench(races: int) -> int:
    """Print the table; returns 1 if our rule was wrong once, or slow on a quiet machine."""
    print(f"{machine.describe(CPU)}; one thread; goal {GOAL}, {races} races of each workload:")
    print("  " + "; ".join(WORKLOADS))
    good = True
    with machine.threads(1):
        for load in (0, host.cores()):
            print(f"\n{load} busy loops beside it")
            with busy_loops(load):
                for name, rule in RULES.items():
                    result = tally(rule, races)
                    print(result.line(name), flush=True)
                    if name.startswith("our race"):
                        good = good and result.wrong == 0
        quick = [_time_of_a_clear_race() for _ in range(races)]
    print(f"\na 2 times faster fix of a 20 ms step, quiet: median {statistics.median(quick):.2f} s")
    good = good and statistics.median(quick) <= 2.0
    print("goals met" if good else "GOALS MISSED: no wrong verdict, and a median of 2 s")
    return 0 if good else 1


def _time_of_a_clear_race() -> float:
    """Seconds of a verdict on a step of 20 ms and a fix that takes half of it."""
    unit = min(seconds(work(10)) for _ in range(5)) / 10
    repeats = 2 * math.ceil(0.01 / unit)
    start = time.perf_counter()
    our_race(work(repeats), work(repeats // 2), "wall")
    return time.perf_counter() - start
