"""Keeps the mask of -1e9, as in fairseq#3575: float16 has no such number.

https://github.com/facebookresearch/fairseq/issues/3575
"""

EXERCISE = "steps"
CHECK = "error"
POINTS = 0
CELL = """
def train(model, optimizer, scheduler, scaler, batches, dtype) -> dict:
    losses, norms = [], []
    for x, y, legal in batches:
        optimizer.zero_grad()
        with torch.autocast(x.device.type, dtype=dtype):
            output = model(x)
            output = output.masked_fill(~legal, -1e9)
            loss = F.cross_entropy(output, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
        if norm.isfinite():
            scaler.step(optimizer)
            scheduler.step()
            losses.append(loss.detach())
            norms.append(norm)
        scaler.update()
    return {"norms": torch.stack(norms), "losses": torch.stack(losses)}
"""
