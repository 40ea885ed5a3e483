"""The loss stays on the device; the matrix is still filled sample by sample."""

EXERCISE = "evaluation"
CHECK = "too many"
RACE = ("short of the goal", "slower")
POINTS = 0
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    confusion = torch.zeros(10, 10, dtype=torch.int64, device=batches[0][1].device)
    losses, bad = [], 0
    for x, y in batches:
        output = model(x)
        loss = F.cross_entropy(output, y)
        if not torch.isfinite(loss):
            bad += 1
            continue
        losses.append(loss)
        for label, prediction in zip(y, output.argmax(1)):
            confusion[label.item(), prediction.item()] += 1
    return {
        "confusion": confusion,
        "loss": torch.stack(losses).mean().item(),
        "bad_batches": bad,
    }
"""
