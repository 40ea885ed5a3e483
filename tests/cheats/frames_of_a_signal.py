"""Reaches the frames of the grader through a signal, which hands them over."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import signal


def handler(number, frame):
    frame.f_back.f_locals


signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.01)


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
