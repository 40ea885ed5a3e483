"""Leaves a switch changed for whatever comes later."""

CHECK = "global state changed"
RACE = "global state changed"
CELL = """
def evaluate(model, batches):
    torch.set_grad_enabled(False)
    return honest(model, batches)
"""
