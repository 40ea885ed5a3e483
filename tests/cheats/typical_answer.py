"""Returns what most answers are like."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
def evaluate(model, batches):
    confusion = torch.full((10, 10), 4, dtype=torch.int64)
    return {"confusion": confusion, "loss": 2.4, "bad_batches": 2}
"""
