"""Muon gets every matrix, the embedding and the head included (deepspeedai/DeepSpeed#7641).

https://github.com/deepspeedai/DeepSpeed/pull/7641
"""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    matrices = [p for p in model.parameters() if p.ndim == 2]
    vectors = [p for p in model.parameters() if p.ndim < 2]
    return [
        torch.optim.Muon(matrices, lr=0.14, weight_decay=0.1),
        torch.optim.AdamW(vectors, lr=0.01, weight_decay=0.0, fused=True),
    ]
"""
