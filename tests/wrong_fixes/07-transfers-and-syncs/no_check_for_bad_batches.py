"""The test for an infinite loss, which was a wait, is dropped."""

EXERCISE = "evaluation"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    confusion = torch.zeros(100, dtype=torch.int64, device=batches[0][1].device)
    total = torch.zeros((), device=batches[0][1].device)
    for x, y in batches:
        output = model(x)
        total += F.cross_entropy(output, y)
        cells = y * 10 + output.argmax(1)
        confusion.scatter_add_(0, cells, torch.ones_like(cells))
    return {
        "confusion": confusion.view(10, 10),
        "loss": (total / len(batches)).item(),
        "bad_batches": 0,
    }
"""
