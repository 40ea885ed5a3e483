"""The article's advice taken literally: `.detach()`, and then float() all the same."""

EXERCISE = "evaluation"
CHECK = "too many"
RACE = "passed"  # reading a few numbers a batch costs a CPU nothing; the count is what it fails
POINTS = 4
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    confusion = torch.zeros(100, dtype=torch.int64, device=batches[0][1].device)
    total, good, bad = 0.0, 0, 0
    for x, y in batches:
        output = model(x)
        loss = float(F.cross_entropy(output, y).detach())
        if not abs(loss) < float("inf"):
            bad += 1
            continue
        total, good = total + loss, good + 1
        cells = y * 10 + output.argmax(1)
        confusion.scatter_add_(0, cells, torch.ones_like(cells))
    return {"confusion": confusion.view(10, 10), "loss": total / good, "bad_batches": bad}
"""
