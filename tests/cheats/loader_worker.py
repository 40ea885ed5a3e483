"""Works in the worker of a loader, where nothing is counted."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
from torch.utils.data import DataLoader


def evaluate(model, batches):
    def work(_):
        return dict(evaluate_slow(model, batches))

    return next(iter(DataLoader([0], num_workers=1, collate_fn=work)))
"""
