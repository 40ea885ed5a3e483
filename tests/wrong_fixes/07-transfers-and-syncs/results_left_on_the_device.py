"""No read at all: the caller gets lists of tensors where numbers were promised."""

EXERCISE = "evaluation"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    device = batches[0][1].device
    confusion = torch.zeros(100, dtype=torch.int64, device=device)
    losses, good = [], []
    for x, y in batches:
        output = model(x)
        losses.append(F.cross_entropy(output, y))
        good.append(torch.isfinite(losses[-1]))
        cells = y * 10 + output.argmax(1)
        confusion.scatter_add_(0, cells, good[-1].to(torch.int64).expand(cells.shape))
    return {"confusion": confusion.view(10, 10), "loss": losses, "bad_batches": good}
"""
