"""AdamW with the same numbers: the decay works, the directions are as they were."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 2
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    return [torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1, fused=True)]
"""
