"""Brings every gradient to the same norm, the small ones too."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 2
CELL = """
def clip(parameters) -> None:
    norm = nn.utils.get_total_norm([p.grad for p in parameters])
    for parameter in parameters:
        parameter.grad.mul_(64.0 / norm)
"""
