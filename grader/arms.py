"""One side of a race inside this process: fresh inputs for every call, timed to the last kernel."""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Literal

import torch

from grader import machine
from grader.race import Block

Clock = Literal["wall", "cpu"]


class Arm:
    """Calls `function(*case(seed))` for every staged seed.

    `clock`: `"wall"`, or `"cpu"` for the processor time of this process, which competing programs
    do not touch: for single-threaded compute on a CPU that never waits.
    `calls` holds the arguments of every staged call and, after `run`, `results` what the calls
    returned, until the next `stage`.
    """

    def __init__(
        self,
        function: Callable,
        case: Callable[[int], tuple],
        device: torch.device,
        clock: Clock = "wall",
    ) -> None:
        self.function, self.case, self.device = function, case, device
        self._clock = time.process_time if clock == "cpu" else time.perf_counter
        self._wall = time.perf_counter
        self.seeds: list[int] = []
        self.calls: list[tuple] = []
        self.results: list = []
        self._extra: tuple | None = None

    def stage(self, seeds: Sequence[int]) -> None:
        self.calls, self.results, self.seeds = [], [], list(seeds)
        self.calls = [self.case(seed) for seed in seeds]
        self._extra = self.case(seeds[0]) if len(seeds) > 1 else None
        gc.collect()

    def warm_up(self) -> None:
        """Untimed: one of several calls first, to bring back the caches that the other arm used."""
        if self._extra is not None:
            self.function(*self._extra)
            self._extra = None

    def run(self) -> Block:
        self.warm_up()
        function, calls = self.function, self.calls
        machine.seed_everything(self.seeds[0])
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            machine.synchronize(self.device)
            wall, start = self._wall(), self._clock()
            results = [function(*arguments) for arguments in calls]
            machine.synchronize(self.device)
            seconds, wall = self._clock() - start, self._wall() - wall
        finally:
            if was_enabled:
                gc.enable()
        self.results = results
        return Block(max(seconds, 1e-9), max(wall, 1e-9))
