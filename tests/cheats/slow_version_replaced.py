"""Makes the slow version slower than it is."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import time


def evaluate_slow(model, batches):
    time.sleep(0.1)


evaluation.slow = evaluate_slow


def evaluate(model, batches):
    return honest(model, batches)
"""
