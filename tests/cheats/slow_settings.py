"""Switches on what makes PyTorch slow, for the slow version as well, it hopes."""

CHECK = "too many"
RACE = ("short of the goal", "slower", "inconclusive")
CELL = """
torch.use_deterministic_algorithms(True)
torch.autograd.set_detect_anomaly(True)


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
