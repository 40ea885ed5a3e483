"""Takes the audit off PyTorch's stack while it works."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
from torch.utils._python_dispatch import _disable_current_modes


def evaluate(model, batches):
    with _disable_current_modes():
        return dict(evaluate_slow(model, batches))
"""
