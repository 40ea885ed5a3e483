"""Fused, and still a group for every parameter (roboflow/rf-detr before #1409).

https://github.com/roboflow/rf-detr/pull/1409
"""

EXERCISE = "groups"
CHECK = "too many"
RACE = ("passed", "short of the goal", "not measurable here")
POINTS = 3
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    groups = []
    for name, parameter in model.named_parameters():
        lr = 4e-3 if name.endswith("bias") else 2e-3
        decay = 0.1 if parameter.ndim >= 2 else 0.0
        groups.append({"params": [parameter], "lr": lr, "weight_decay": decay})
    return torch.optim.AdamW(groups, fused=True)
"""
