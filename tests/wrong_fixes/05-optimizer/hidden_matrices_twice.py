"""AdamW beside Muon has all parameters: hidden matrices are stepped by both."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    hidden = [p for p in model.layers.parameters() if p.ndim == 2]
    return [
        torch.optim.Muon(hidden, lr=0.14, weight_decay=0.1),
        torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1, fused=True),
    ]
"""
