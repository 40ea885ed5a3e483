"""All in one group, with the decay that AdamW has if nobody says anything."""

EXERCISE = "groups"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def build_optimizer(model) -> torch.optim.Optimizer:
    return torch.optim.AdamW(model.parameters(), lr=2e-3, fused=True)
"""
