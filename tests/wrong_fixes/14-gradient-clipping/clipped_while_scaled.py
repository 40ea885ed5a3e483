"""Clips the scaled gradients: the threshold is divided by the scale.

https://github.com/pytorch/examples/issues/1196
"""

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
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm
"""
