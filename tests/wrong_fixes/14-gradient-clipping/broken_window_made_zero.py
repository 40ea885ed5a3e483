"""Makes zeros of what is not finite before the scaler looks: it learns from the broken window."""

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
    for parameter in model.parameters():
        parameter.grad.nan_to_num_(0.0, 0.0, 0.0)
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm
"""
