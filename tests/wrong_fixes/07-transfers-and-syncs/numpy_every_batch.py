"""The matrix is counted in NumPy: two downloads a batch."""

EXERCISE = "evaluation"
CHECK = "too many"
RACE = "passed"
POINTS = 4
CELL = """
@torch.no_grad()
def evaluate(model, batches) -> dict:
    confusion = torch.zeros(10, 10, dtype=torch.int64, device=batches[0][1].device)
    total, good, bad = 0.0, 0, 0
    for x, y in batches:
        output = model(x)
        loss = F.cross_entropy(output, y).cpu().numpy()
        if not abs(loss) < float("inf"):
            bad += 1
            continue
        total, good = total + float(loss), good + 1
        labels, predictions = y.tolist(), output.argmax(1).tolist()
        for cell in zip(labels, predictions):
            confusion[cell] += 1
    return {"confusion": confusion, "loss": total / good, "bad_batches": bad}
"""
