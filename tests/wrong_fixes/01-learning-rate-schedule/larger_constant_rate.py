"""Only a larger constant rate."""

EXERCISE = "cycle"
CHECK = "too many"
POINTS = 0
CELL = """
def train_part(job, start: int, stop: int, state: dict | None) -> dict:
    if state is not None:
        job.model.load_state_dict(state["model"])
        job.optimizer.load_state_dict(state["optimizer"])
    job.optimizer.param_groups[0]["lr"] = 0.1
    for epoch in range(start, stop):
        batches = job.batches(epoch)
        for first in range(0, len(batches), job.window):
            group = batches[first : first + job.window]
            for x, y in group:
                (F.mse_loss(job.model(x), y) / len(group)).backward()
            job.optimizer.step()
            job.optimizer.zero_grad()
    return {"model": job.model.state_dict(), "optimizer": job.optimizer.state_dict()}
"""
