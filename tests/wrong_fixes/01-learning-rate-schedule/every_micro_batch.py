"""Stepped after every micro-batch, twice as fast as the optimizer (starVLA#210).

https://github.com/starVLA/starVLA/pull/210
"""

EXERCISE = "cycle"
CHECK = "error"
POINTS = 0
CELL = """
def train_part(job, start: int, stop: int, state: dict | None) -> dict:
    steps_per_epoch = math.ceil(job.micro_batches / job.window)
    scheduler = lr_scheduler.OneCycleLR(
        job.optimizer, max_lr=job.max_lr, total_steps=job.epochs * steps_per_epoch
    )
    if state is not None:
        job.model.load_state_dict(state["model"])
        job.optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
    for epoch in range(start, stop):
        batches = job.batches(epoch)
        for first in range(0, len(batches), job.window):
            group = batches[first : first + job.window]
            for x, y in group:
                (F.mse_loss(job.model(x), y) / len(group)).backward()
                scheduler.step()
            job.optimizer.step()
            job.optimizer.zero_grad()
    return {
        "model": job.model.state_dict(),
        "optimizer": job.optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
    }
"""
