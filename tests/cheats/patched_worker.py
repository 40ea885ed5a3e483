"""Replaces what counts for the referee."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import __main__


def count(self, seed):
    return {"host reads": 0.0}


__main__.Worker.count = count


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
