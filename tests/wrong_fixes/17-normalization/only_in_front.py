"""The inputs are normalised, the layers are not."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), nn.ReLU()]
        features = 96
    return nn.Sequential(nn.LayerNorm(32), *parts, nn.Linear(96, 8))
"""
