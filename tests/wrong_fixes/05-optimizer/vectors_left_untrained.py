"""Muon takes matrices, and nobody takes the rest (Metta-AI/metta#134).

https://github.com/Metta-AI/metta/pull/134
"""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    hidden = [p for p in model.layers.parameters() if p.ndim == 2]
    others = [model.embedding.weight, model.positions, model.head.weight]
    return [
        torch.optim.Muon(hidden, lr=0.14, weight_decay=0.1),
        torch.optim.AdamW(others, lr=0.01, weight_decay=0.1, fused=True),
    ]
"""
