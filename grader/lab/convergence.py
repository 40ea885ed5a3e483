"""How many steps a training needs until it is good enough."""

import math
from collections.abc import Callable


def steps_to_target(
    step: Callable[[], object], reached: Callable[[], bool], *, limit: int, every: int = 10
) -> float:
    """Call `step` until `reached()` is true, which is asked after every `every` steps.

    Returns the steps taken, a multiple of `every`; `math.inf` if `limit` steps are not enough.
    """
    for count in range(1, limit + 1):
        step()
        if count % every == 0 and reached():
            return count
    return math.inf
