"""Only what has a gradient in these steps is given to the optimizer: one head never learns."""

EXERCISE = "groups"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    by_setting = {}
    for name, parameter in model.named_parameters():
        if name.startswith("language"):
            continue
        lr = 4e-3 if name.endswith("bias") else 2e-3
        decay = 0.1 if parameter.ndim >= 2 else 0.0
        by_setting.setdefault((lr, decay), []).append(parameter)
    groups = [
        {"params": parameters, "lr": lr, "weight_decay": decay}
        for (lr, decay), parameters in by_setting.items()
    ]
    return torch.optim.AdamW(groups, fused=True)
"""
