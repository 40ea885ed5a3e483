"""Looks at the frames of the grader."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import sys


def evaluate(model, batches):
    sys._getframe(1).f_locals
    return dict(evaluate_slow(model, batches))
"""
