"""Asks the scale whether a step was skipped: a disabled scaler steps on the broken batch."""

EXERCISE = "steps"
CHECK = "wrong answer"
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
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() >= before:
            scheduler.step()
            losses.append(loss.detach())
            norms.append(norm)
    return {"norms": torch.stack(norms), "losses": torch.stack(losses)}
"""
