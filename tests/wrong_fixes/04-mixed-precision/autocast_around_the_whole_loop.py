"""One autocast around all steps, as in Flow-Factory#186: it keeps the weights of the first one.

https://github.com/X-GenGroup/Flow-Factory/pull/186
"""

EXERCISE = "training"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def train_and_evaluate(model, optimizer, batches, held_out) -> dict:
    dtype = precision(device)
    scaler = torch.amp.GradScaler(device.type, enabled=dtype is torch.float16)
    losses = []
    with torch.autocast(device.type, dtype=dtype):
        for x, y in batches:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.detach())
        with torch.no_grad():
            held_out_losses = [F.cross_entropy(model(x), y) for x, y in held_out]
    return {"losses": torch.stack(losses), "held_out": torch.stack(held_out_losses).mean()}
"""
