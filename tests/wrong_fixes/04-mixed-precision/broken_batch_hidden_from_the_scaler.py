"""Leaves a broken batch out before backward: the scaler never sees it and keeps its scale."""

EXERCISE = "steps"
CHECK = "too many"
POINTS = 2.5
CELL = """
def train(model, optimizer, scheduler, scaler, batches, dtype) -> dict:
    losses, norms = [], []
    for x, y, legal in batches:
        optimizer.zero_grad()
        with torch.autocast(x.device.type, dtype=dtype):
            output = model(x)
            output = output.masked_fill(~legal, torch.finfo(output.dtype).min)
            loss = F.cross_entropy(output, y)
        if not loss.isfinite():
            continue
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
        scaler.step(optimizer)
        scheduler.step()
        losses.append(loss.detach())
        norms.append(norm)
        scaler.update()
    return {"norms": torch.stack(norms), "losses": torch.stack(losses)}
"""
