"""The embedding is frozen, which leaves less to train."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    model.embedding.weight.requires_grad_(False)
    hidden = [p for p in model.layers.parameters() if p.ndim == 2]
    in_muon = {id(p) for p in hidden}
    others = [p for p in model.parameters() if id(p) not in in_muon]
    return [
        torch.optim.Muon(hidden, lr=0.14, weight_decay=0.1),
        torch.optim.AdamW(others, lr=0.01, weight_decay=0.1, fused=True),
    ]
"""
