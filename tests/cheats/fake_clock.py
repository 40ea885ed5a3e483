"""The clocks of its process stand still."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import time


for name in ("perf_counter", "process_time", "time", "monotonic"):
    setattr(time, name, lambda: 0.0)


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
