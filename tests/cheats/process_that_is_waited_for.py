"""Works in another process, where nothing is counted, and waits for it."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import os
import pickle


def evaluate(model, batches):
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, pickle.dumps(evaluate_slow(model, batches)))
        os._exit(0)
    os.wait()
    return pickle.loads(os.read(read, 60000))
"""
