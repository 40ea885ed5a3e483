"""Muon is given every parameter: it takes none that has one dimension."""

EXERCISE = "recall"
CHECK = "error"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    return [torch.optim.Muon(model.parameters(), lr=0.14, weight_decay=0.1)]
"""
