"""Reaches the frames of the grader through the module traceback."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import traceback


def evaluate(model, batches):
    for frame, _ in traceback.walk_stack(None):
        frame.f_locals
    return dict(evaluate_slow(model, batches))
"""
