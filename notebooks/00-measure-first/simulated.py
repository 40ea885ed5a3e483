"""A device without hardware: it keeps two clocks, by the rules of a real accelerator, exactly.

The host launches kernels into a queue; the device works through it. Nothing here takes real time,
and nothing is random: what a benchmark ought to report is known.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial

LAUNCH = 5e-6  # seconds that the host needs for one launch
WAIT = 10e-6  # seconds that a wait costs the host beyond the end of the queue
FIRST_CALLS = (20e-3, 5e-3, 2e-3)  # seconds of the host on top, in a kernel's first three launches
HEATING = 0.12  # after t seconds of work kernels take (1 + t / COOL) ** HEATING times as long
COOL = 10e-3


class SimulatedDevice:
    """An accelerator that starts cold, with an empty queue.

    asynchronous  a launch returns at once; otherwise it waits for its kernel
    warms_up      the first launches of every kernel cost more (loading, allocating, tuning)
    heats_up      kernels take longer, the more the device has worked

    `calls`: launches by kernel. `spans`: (start, duration) in milliseconds of what the host did
    and of what the device did, for `grader.plots.timeline`.
    """

    def __init__(
        self, *, asynchronous: bool = True, warms_up: bool = True, heats_up: bool = True
    ) -> None:
        self.asynchronous, self.warms_up, self.heats_up = asynchronous, warms_up, heats_up
        self.calls: Counter[str] = Counter()
        self.spans: dict[str, list[tuple[float, float]]] = {"host": [], "device": []}
        self._now = 0.0  # of the host
        self._queue_ends = 0.0
        self._worked = 0.0

    def clock(self) -> float:
        """Seconds, as `time.perf_counter()` tells the host. Reading it costs nothing."""
        return self._now

    def synchronize(self) -> None:
        """Wait until the queue is empty, as `torch.accelerator.synchronize()` does."""
        self._now = max(self._now, self._queue_ends) + WAIT

    def kernel(self, name: str, seconds: float) -> Callable[[], None]:
        """A function that launches one kernel, which takes `seconds` on a cold device."""
        return partial(self._launch, name, seconds)

    def _launch(self, name: str, seconds: float) -> None:
        started, number = self._now, self.calls[name]
        self.calls[name] += 1
        self._now += LAUNCH
        if self.warms_up and number < len(FIRST_CALLS):
            self._now += FIRST_CALLS[number]
        if self.heats_up:
            seconds *= (1 + self._worked / COOL) ** HEATING
        begins = max(self._now, self._queue_ends)
        self._worked += seconds
        self._queue_ends = begins + seconds
        self.spans["host"].append((1e3 * started, 1e3 * (self._now - started)))
        self.spans["device"].append((1e3 * begins, 1e3 * seconds))
        if not self.asynchronous:
            self._now = self._queue_ends
