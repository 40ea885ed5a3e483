"""Other initial weights in the place of normalisation; training starts from the defaults."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), nn.ReLU()]
        features = 96
    for layer in parts[::2]:
        nn.init.kaiming_normal_(layer.weight)
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
