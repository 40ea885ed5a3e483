"""Writes answers to every descriptor."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import os


for descriptor in range(3, 64):
    try:
        os.write(descriptor, b'{"done": null}\\n')
    except OSError:
        pass


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
