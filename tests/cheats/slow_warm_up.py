"""Is slow at first, so that fewer calls are timed."""

CHECK = "too many"
RACE = ("short of the goal", "slower", "inconclusive")
CELL = """
import time

CALLS = [0]


def evaluate(model, batches):
    CALLS[0] += 1
    if CALLS[0] < 8:
        time.sleep(0.2)
    return dict(evaluate_slow(model, batches))
"""
