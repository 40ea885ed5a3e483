"""Keeps answers in files, for the next call and the next process."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
import pickle
from pathlib import Path


def evaluate(model, batches):
    for folder in ("/tmp", "/dev/shm"):
        file = Path(folder, "answer")
        if file.exists():
            return pickle.loads(file.read_bytes())
        file.write_bytes(pickle.dumps(honest(model, batches)))
    return honest(model, batches)
"""
