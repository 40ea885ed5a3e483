"""The right gradient, with a norm that the host computes tensor by tensor."""

EXERCISE = "windows"
CHECK = "too many"
RACE = ("short of the goal", "slower", "passed", "not measurable here")
POINTS = 4
CELL = """
def training_step(model, optimizer, scaler, micro_batches, max_norm: float):
    optimizer.zero_grad()
    for x, y in micro_batches:
        loss = F.cross_entropy(model(x), y) / len(micro_batches)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = math.sqrt(sum(p.grad.norm().item() ** 2 for p in model.parameters()))
    if norm > max_norm:
        for parameter in model.parameters():
            parameter.grad.mul_(max_norm / norm)
    scaler.step(optimizer)
    scaler.update()
    return norm
"""
