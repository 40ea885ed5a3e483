"""Two groups, by the ending of the name: gains of norms decay (ServiceNow/Fast-LLM#542).

https://github.com/ServiceNow/Fast-LLM/issues/542
"""

EXERCISE = "groups"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    biases, others = [], []
    for name, parameter in model.named_parameters():
        (biases if name.endswith("bias") else others).append(parameter)
    groups = [
        {"params": others, "lr": 2e-3, "weight_decay": 0.1},
        {"params": biases, "lr": 4e-3, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, fused=True)
"""
