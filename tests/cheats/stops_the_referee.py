"""Stops the processes above it while it works."""

CHECK = "too many"
RACE = ("short of the goal", "slower", "inconclusive")
CELL = """
import contextlib
import os
import signal


def evaluate(model, batches):
    with contextlib.suppress(OSError):
        os.kill(os.getppid(), signal.SIGSTOP)
    return dict(evaluate_slow(model, batches))
"""
