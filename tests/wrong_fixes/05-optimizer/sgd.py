"""Fewer operations per step, and another algorithm: SGD with momentum."""

EXERCISE = "groups"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    by_setting = {}
    for name, parameter in model.named_parameters():
        setting = (4e-3 if name.endswith("bias") else 2e-3, 0.1 if parameter.ndim >= 2 else 0.0)
        by_setting.setdefault(setting, []).append(parameter)
    groups = [
        {"params": parameters, "lr": lr, "weight_decay": decay}
        for (lr, decay), parameters in by_setting.items()
    ]
    return torch.optim.SGD(groups, momentum=0.9, fused=True)
"""
