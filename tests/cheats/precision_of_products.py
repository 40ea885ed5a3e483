"""Switches to less exact matrix products."""

CHECK = "global state changed"
RACE = "global state changed"
CELL = """
def evaluate(model, batches):
    torch.set_float32_matmul_precision("medium")
    return honest(model, batches)
"""
