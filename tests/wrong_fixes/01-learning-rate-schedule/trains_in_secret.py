"""Steps that no optimizer takes, and so no count of steps sees."""

EXERCISE = "cycle"
CHECK = "too many"
POINTS = 0
CELL = """
def train_part(job, start: int, stop: int, state: dict | None) -> dict:
    for x, y in job.batches(start):
        F.mse_loss(job.model(x), y).backward()
        with torch.no_grad():
            for parameter in job.model.parameters():
                parameter -= 0.01 * parameter.grad
                parameter.grad = None
    return train_part_slow(job, start, stop, state)
"""
