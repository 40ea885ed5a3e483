"""Converts the model to float16 under a scaler, as in Lightning#5140: it refuses to unscale.

https://github.com/Lightning-AI/pytorch-lightning/issues/5140
"""

EXERCISE = "steps"
CHECK = "error"
POINTS = 0
CELL = """
def train(model, optimizer, scheduler, scaler, batches, dtype) -> dict:
    model.to(dtype)
    losses, norms = [], []
    for x, y, legal in batches:
        optimizer.zero_grad()
        output = model(x.to(dtype)).float().masked_fill(~legal, -1e9)
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
