"""The matrix is counted in NumPy: three downloads a batch."""

EXERCISE = "evaluation"
CHECK = "too many"
RACE = "passed"  # reading a few arrays a batch costs a CPU little; the count is what it fails
POINTS = 4
CELL = """
import numpy as np


@torch.no_grad()
def evaluate(model, batches) -> dict:
    confusion = np.zeros((10, 10), dtype=np.int64)
    total, good, bad = 0.0, 0, 0
    for x, y in batches:
        output = model(x)
        loss = F.cross_entropy(output, y).cpu().numpy()
        if not np.isfinite(loss):
            bad += 1
            continue
        total, good = total + float(loss), good + 1
        np.add.at(confusion, (y.cpu().numpy(), output.argmax(1).cpu().numpy()), 1)
    device = batches[0][1].device
    return {
        "confusion": torch.from_numpy(confusion).to(device),
        "loss": total / good,
        "bad_batches": bad,
    }
"""
