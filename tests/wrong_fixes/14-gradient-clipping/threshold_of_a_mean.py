"""The threshold of the project where the loss was a mean: hundreds of times too small."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 2
CELL = """
def clip(parameters) -> None:
    nn.utils.clip_grad_norm_(parameters, max_norm=0.1)
"""
