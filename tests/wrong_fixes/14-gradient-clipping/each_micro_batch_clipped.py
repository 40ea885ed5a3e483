"""Clips after every backward pass instead of once a window.

https://github.com/huggingface/transformers/issues/1563
"""

EXERCISE = "windows"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def training_step(model, optimizer, scaler, micro_batches, max_norm: float):
    optimizer.zero_grad()
    scale = scaler.get_scale()
    for x, y in micro_batches:
        loss = F.cross_entropy(model(x), y) / len(micro_batches)
        scaler.scale(loss).backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm * scale) / scale
    scaler.step(optimizer)
    scaler.update()
    return norm
"""
