"""Waits for no device any more, so that the clock stops early."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
torch.accelerator.synchronize = torch.cuda.synchronize = lambda *a: None


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
