"""The right answer; the host waits for the norm in every step to decide what the scaler decides."""

EXERCISE = "windows"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 4
CELL = """
def training_step(model, optimizer, scaler, micro_batches, max_norm: float):
    optimizer.zero_grad()
    for x, y in micro_batches:
        loss = F.cross_entropy(model(x), y) / len(micro_batches)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if norm.isfinite().item():
        scaler.step(optimizer)
    scaler.update()
    return norm
"""
