"""Two hidden layers in the place of eight."""

EXERCISE = "layers"
CHECK = "too few"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(32, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 8)
    )
"""
