"""The right split, with the learning rate that Muon has by default."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    hidden = [p for p in model.layers.parameters() if p.ndim == 2]
    in_muon = {id(p) for p in hidden}
    others = [p for p in model.parameters() if id(p) not in in_muon]
    return [
        torch.optim.Muon(hidden),
        torch.optim.AdamW(others, lr=0.01, weight_decay=0.1, fused=True),
    ]
"""
