"""BatchNorm for both: four samples give no usable statistics."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 2
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), nn.BatchNorm1d(96), nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
