"""Looks for the expected answer among all objects."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import gc


def evaluate(model, batches):
    for thing in gc.get_objects():
        if type(thing) is dict and "bad_batches" in thing:
            return thing
    return dict(evaluate_slow(model, batches))
"""
