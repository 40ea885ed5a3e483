"""Leaves the scaler out: small gradients lose their digits in float16."""

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
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
        if norm.isfinite():
            optimizer.step()
            scheduler.step()
            losses.append(loss.detach())
            norms.append(norm)
    return {"norms": torch.stack(norms), "losses": torch.stack(losses)}
"""
