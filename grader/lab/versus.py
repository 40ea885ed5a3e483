"""Two versions measured side by side, for the demonstrations in the notebooks."""

import html
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from grader import machine, race
from grader.arms import Arm, Clock
from grader.progress import Progress


@dataclass(frozen=True)
class Versus:
    """Heats of two versions. Seconds per call; `speedup` is the median over the heats."""

    names: tuple[str, str]
    heats: list[race.Heat]
    device: str

    @property
    def speedup(self) -> float:
        return statistics.median(heat.speedup for heat in self.heats)

    @property
    def spread(self) -> tuple[float, float]:
        """The smallest and the largest speed-up of a heat."""
        ratios = [heat.speedup for heat in self.heats]
        return min(ratios), max(ratios)

    def __str__(self) -> str:
        slow, fast = (
            1000 * statistics.median(getattr(heat, side) for heat in self.heats)
            for side in ("slow", "fix")
        )
        low, high = self.spread
        return (
            f"{self.names[0]}: {slow:.3g} ms · {self.names[1]}: {fast:.3g} ms · "
            f"{self.speedup:.2f} times as fast ({low:.2f} to {high:.2f} in {len(self.heats)} "
            f"heats, {self.device})"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def versus(
    slow: Callable,
    fast: Callable,
    case: Callable[[int], tuple],
    *,
    device: torch.device | str = "cpu",
    clock: Clock = "wall",
    heats: int = 12,
    seconds: float = 8.0,
) -> Versus:
    """Race `slow` against `fast` for so many heats, or as many (at least 3) as fit into `seconds`.

    `case`: seed -> fresh arguments (a tuple) for one call. One thread on a CPU.
    """
    device = torch.device(device)
    clock = clock if device.type == "cpu" else "wall"
    arms = [Arm(version, case, device, clock) for version in (slow, fast)]
    progress, generators = Progress(), machine.generators()
    run: list[race.Heat] = []
    deadline = time.perf_counter() + seconds
    try:
        with machine.threads(1 if device.type == "cpu" else torch.get_num_threads()):
            source = race.heats(*arms, goal=1.0)
            while len(run) < heats and (len(run) < 3 or time.perf_counter() < deadline):
                run.append(next(source))
                progress.show(f"heat {len(run)} of {heats}: {run[-1].speedup:.2f} times as fast")
            source.close()
    finally:
        progress.close()
        machine.restore_generators(generators)
    names = tuple(getattr(version, "__name__", "version") for version in (slow, fast))
    return Versus(names, run, machine.device_class(device))
