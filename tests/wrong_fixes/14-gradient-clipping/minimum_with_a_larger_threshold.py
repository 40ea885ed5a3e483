"""The article's formula with the threshold for a sum: negative gradients have no bound."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 0
CELL = """
def clip(parameters) -> None:
    for parameter in parameters:
        parameter.grad.clamp_(max=64.0)
"""
