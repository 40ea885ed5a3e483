"""Makes every gradient ten times shorter, which is a smaller rate of learning."""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 2
CELL = """
def clip(parameters) -> None:
    for parameter in parameters:
        parameter.grad.mul_(0.1)
"""
