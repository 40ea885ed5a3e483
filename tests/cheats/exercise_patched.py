"""Replaces the task."""

CHECK = ("error", "rejected")
RACE = ("error", "rejected")
CELL = """
evaluation.observe = lambda *a: None
evaluation.counts = {}


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
