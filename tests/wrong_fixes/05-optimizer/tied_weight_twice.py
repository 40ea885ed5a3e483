"""Module by module: the tied weight is in the group twice, and stepped twice."""

EXERCISE = "groups"
CHECK = ("wrong answer", "error")
RACE = ("wrong answer", "error")
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    matrices, vectors, biases = [], [], []
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if name == "bias":
                biases.append(parameter)
            else:
                (matrices if parameter.ndim >= 2 else vectors).append(parameter)
    groups = [
        {"params": matrices, "weight_decay": 0.1},
        {"params": vectors, "weight_decay": 0.0},
        {"params": biases, "lr": 4e-3, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=2e-3, fused=True)
"""
