"""Calls the optimizer's own step, which skips nothing."""

EXERCISE = "windows"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def training_step(model, optimizer, scaler, micro_batches, max_norm: float):
    optimizer.zero_grad()
    for x, y in micro_batches:
        loss = F.cross_entropy(model(x), y) / len(micro_batches)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    scaler.update()
    return norm
"""
