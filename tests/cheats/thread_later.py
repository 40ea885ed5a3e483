"""Returns at once, and fills the answer in later."""

CHECK = ("wrong answer", "rejected")
RACE = ("wrong answer", "rejected")
CELL = """
import threading


def evaluate(model, batches):
    out = {"confusion": torch.zeros(10, 10, dtype=torch.int64), "loss": 0.0, "bad_batches": 0}
    threading.Thread(target=lambda: out.update(honest(model, batches))).start()
    return out
"""
