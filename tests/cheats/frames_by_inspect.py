"""Looks at the frames of the grader, through a library."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import inspect


def evaluate(model, batches):
    inspect.currentframe().f_back
    return dict(evaluate_slow(model, batches))
"""
