"""Has PyTorch pass the audit by while it works."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
def evaluate(model, batches):
    with torch._C._DisableTorchDispatch():
        return dict(evaluate_slow(model, batches))
"""
