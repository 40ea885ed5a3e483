"""As many groups as features: the mean of one number is the number."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 2
CELL = """
def make_model(batch_size: int) -> nn.Module:
    parts, features = [], 32
    for _ in range(8):
        norm = nn.BatchNorm1d(96) if batch_size >= 32 else nn.GroupNorm(96, 96)
        parts += [nn.Linear(features, 96), norm, nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
