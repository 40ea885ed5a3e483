"""Cuts each number by itself: it may train, in another direction."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 2
CELL = """
def clip(parameters) -> None:
    nn.utils.clip_grad_value_(parameters, 10.0)
"""
