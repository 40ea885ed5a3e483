"""One mean for the whole batch: answers depend on who else is evaluated."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def make_model(batch_size: int) -> nn.Module:
    class WholeNorm(nn.Module):
        def forward(self, x):
            return F.layer_norm(x, x.shape)

    parts, features = [], 32
    for _ in range(8):
        parts += [nn.Linear(features, 96), WholeNorm(), nn.ReLU()]
        features = 96
    return nn.Sequential(*parts, nn.Linear(96, 8))
"""
