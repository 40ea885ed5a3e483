"""BatchNorm that never sees a batch: as made, it divides by 1."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    class Frozen(nn.BatchNorm1d):
        def train(self, mode: bool = True):
            return super().train(False)

    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), Frozen(96), nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
