"""Has CUDA's own clock say what it wants."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
torch.cuda.Event.elapsed_time = lambda self, end: 0.01


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
