"""A norm for each tensor instead of one for all of them.

https://github.com/huggingface/transformers/issues/581
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
    scaler.unscale_(optimizer)
    norms = [nn.utils.clip_grad_norm_([p], max_norm) for p in model.parameters()]
    norm = torch.stack(norms).norm()
    scaler.step(optimizer)
    scaler.update()
    return norm
"""
