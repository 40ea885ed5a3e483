"""Every micro-batch takes a step of its own: more steps, each with less in it."""

EXERCISE = "cycle"
CHECK = "too many"
POINTS = 0
CELL = """
def train_part(job, start: int, stop: int, state: dict | None) -> dict:
    steps_per_epoch = job.micro_batches
    scheduler = lr_scheduler.OneCycleLR(
        job.optimizer, max_lr=job.max_lr, total_steps=job.epochs * steps_per_epoch
    )
    if state is not None:
        job.model.load_state_dict(state["model"])
        job.optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
    for epoch in range(start, stop):
        batches = job.batches(epoch)
        for first in range(len(batches)):
            group = batches[first : first + 1]
            for x, y in group:
                (F.mse_loss(job.model(x), y) / len(group)).backward()
            job.optimizer.step()
            job.optimizer.zero_grad()
            scheduler.step()
    return {
        "model": job.model.state_dict(),
        "optimizer": job.optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
    }
"""
