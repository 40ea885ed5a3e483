"""All batches in one: fast, and a single bad pixel spoils everything."""

EXERCISE = "evaluation"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    x, y = (torch.cat(parts) for parts in zip(*batches))
    output = model(x)
    loss = F.cross_entropy(output, y)
    cells = y * 10 + output.argmax(1)
    confusion = torch.zeros(100, dtype=torch.int64, device=y.device)
    confusion.scatter_add_(0, cells, torch.ones_like(cells))
    return {"confusion": confusion.view(10, 10), "loss": loss.item(), "bad_batches": 0}
"""
