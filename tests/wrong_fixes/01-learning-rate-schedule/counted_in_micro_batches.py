"""The length of the cycle is counted in micro-batches: the run ends half-way down.

The units were mixed up as in https://github.com/galilai-group/stable-worldmodel/issues/280
"""

EXERCISE = "cycle"
CHECK = "too many"
POINTS = 3
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
        for first in range(0, len(batches), job.window):
            group = batches[first : first + job.window]
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
