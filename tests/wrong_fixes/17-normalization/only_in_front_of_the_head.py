"""One LayerNorm behind eight layers: it keeps what all samples share, nearly everything by then."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.LayerNorm(96), nn.Linear(96, 8))
"""
