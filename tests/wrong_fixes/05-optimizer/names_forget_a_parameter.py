"""Grouped by the endings weight and bias: positions and temperature are in no group."""

EXERCISE = "groups"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    named = dict(model.named_parameters())
    weights = [p for name, p in named.items() if name.endswith("weight")]
    groups = [
        {"params": [p for p in weights if p.ndim >= 2], "weight_decay": 0.1},
        {"params": [p for p in weights if p.ndim < 2], "weight_decay": 0.0},
        {
            "params": [p for name, p in named.items() if name.endswith("bias")],
            "lr": 4e-3,
            "weight_decay": 0.0,
        },
    ]
    return torch.optim.AdamW(groups, lr=2e-3, fused=True)
"""
