"""Clips scaled gradients, as in Pytorch-UNet#468: the threshold is off by the scale.

https://github.com/milesial/Pytorch-UNet/issues/468
"""

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
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
        if norm.isfinite() or scaler.is_enabled():
            scaler.step(optimizer)
        if norm.isfinite():
            scheduler.step()
            losses.append(loss.detach())
            norms.append(norm)
        scaler.update()
    return {"norms": torch.stack(norms), "losses": torch.stack(losses)}
"""
