"""Vectors are frozen instead of being left without decay."""

EXERCISE = "groups"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    matrices = [p for p in model.parameters() if p.ndim >= 2]
    for parameter in model.parameters():
        parameter.requires_grad_(parameter.ndim >= 2)
    return torch.optim.AdamW(matrices, lr=2e-3, weight_decay=0.1, fused=True)
"""
