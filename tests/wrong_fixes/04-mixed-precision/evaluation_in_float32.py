"""Trains in mixed precision and evaluates without it: a quarter of the work stays slow."""

EXERCISE = "training"
CHECK = "too few"
RACE = ("passed", "short of the goal", "not measurable here")
POINTS = 3.5
CELL = """
def train_and_evaluate(model, optimizer, batches, held_out) -> dict:
    dtype = precision(device)
    scaler = torch.amp.GradScaler(device.type, enabled=dtype is torch.float16)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.detach())
    with torch.no_grad():
        held_out_losses = [F.cross_entropy(model(x), y) for x, y in held_out]
    return {"losses": torch.stack(losses), "held_out": torch.stack(held_out_losses).mean()}
"""
