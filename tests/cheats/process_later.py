"""Returns at once; another process fills the answer in."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import os


def evaluate(model, batches):
    result = {"confusion": torch.zeros(10, 10, dtype=torch.int64), "loss": 0.0, "bad_batches": 0}
    result["confusion"].share_memory_()
    if os.fork() == 0:
        result["confusion"].copy_(honest(model, batches)["confusion"])
        os._exit(0)
    return result
"""
