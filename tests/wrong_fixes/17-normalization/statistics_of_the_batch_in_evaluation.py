"""BatchNorm without running statistics: answers depend on who else is evaluated."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), nn.BatchNorm1d(96, track_running_stats=False), nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
