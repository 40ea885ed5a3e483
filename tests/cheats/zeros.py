"""Answers nothing."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
def evaluate(model, batches):
    return {"confusion": torch.zeros(10, 10, dtype=torch.int64), "loss": 0.0, "bad_batches": 0}
"""
