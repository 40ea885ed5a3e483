"""Bad batches are left out of the mean, and counted into the confusion matrix."""

EXERCISE = "evaluation"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    device = batches[0][1].device
    confusion = torch.zeros(100, dtype=torch.int64, device=device)
    total, good = torch.zeros((), device=device), torch.zeros((), device=device)
    for x, y in batches:
        output = model(x)
        loss = F.cross_entropy(output, y)
        total += torch.where(torch.isfinite(loss), loss, 0.0)
        good += torch.isfinite(loss)
        cells = y * 10 + output.argmax(1)
        confusion.scatter_add_(0, cells, torch.ones_like(cells))
    return {
        "confusion": confusion.view(10, 10),
        "loss": (total / good).item(),
        "bad_batches": len(batches) - int(good),
    }
"""
