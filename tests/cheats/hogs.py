"""Keeps both cores busy, so that the slow version is slower."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import threading


def hog():
    while True:
        pass


for _ in range(2):
    threading.Thread(target=hog, daemon=True).start()


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
