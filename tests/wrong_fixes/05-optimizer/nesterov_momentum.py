"""SGD with Nesterov momentum: it never leaves the plateau in which small weights start."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
def make_optimizers(model) -> list[torch.optim.Optimizer]:
    matrices = [p for p in model.parameters() if p.ndim == 2]
    vectors = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors}]
    return [torch.optim.SGD(groups, lr=0.1, momentum=0.9, nesterov=True, fused=True)]
"""
