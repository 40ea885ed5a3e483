"""Advances the schedule after every batch, as in pytorch#55585: a skipped step counts.

https://github.com/pytorch/pytorch/issues/55585
"""

EXERCISE = "steps"
CHECK = "too many"
POINTS = 0
CELL = """
def train(model, optimizer, scheduler, scaler, batches, dtype) -> dict:
    losses, norms = [], []
    for x, y, legal in batches:
        optimizer.zero_grad()
        with torch.autocast(x.device.type, dtype=dtype):
            output = model(x)
            output = output.masked_fill(~legal, torch.finfo(output.dtype).min)
            loss = F.cross_entropy(output, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
        if norm.isfinite():
            scaler.step(optimizer)
            losses.append(loss.detach())
            norms.append(norm)
        scaler.update()
        scheduler.step()
    return {"norms": torch.stack(norms), "losses": torch.stack(losses)}
"""
