"""Works in another thread, where nothing is counted, and waits for it."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import threading


def evaluate(model, batches):
    out = {}
    thread = threading.Thread(target=lambda: out.update(evaluate_slow(model, batches)))
    thread.start()
    thread.join()
    return out
"""
