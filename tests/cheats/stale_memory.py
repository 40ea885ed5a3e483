"""Hopes that the answer lies about in memory that was freed."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
def evaluate(model, batches):
    confusion = torch.empty(10, 10, dtype=torch.int64)
    return {"confusion": confusion, "loss": float(torch.empty(())), "bad_batches": 1}
"""
