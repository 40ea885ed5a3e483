"""LayerNorm of the shape (batch, features): it fits the batches of training alone."""

EXERCISE = "layers"
CHECK = "error"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), nn.LayerNorm((batch_size, 96)), nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
