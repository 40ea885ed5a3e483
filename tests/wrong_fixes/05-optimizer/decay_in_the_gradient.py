"""Another learning rate for Adam, whose decay still goes into the gradient."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    return [torch.optim.Adam(model.parameters(), lr=0.001, weight_decay=0.1, fused=True)]
"""
