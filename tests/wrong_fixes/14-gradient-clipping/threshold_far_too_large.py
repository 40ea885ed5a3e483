"""A threshold that no gradient reaches, until they are not finite."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 0
CELL = """
def clip(parameters) -> None:
    nn.utils.clip_grad_norm_(parameters, max_norm=1e9)
"""
