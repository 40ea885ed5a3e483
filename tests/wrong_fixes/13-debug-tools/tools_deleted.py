"""The tools are deleted, not gated: there are none on the day of the next NaN."""

EXERCISE = "train"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
def train(model, optimizer, batches, debug):
    losses = []
    for start in range(0, len(batches), 4):
        part = []
        for x, y in batches[start : start + 4]:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            part.append(loss.detach())
        for value in torch.stack(part).tolist():
            losses.append(value)
            if not math.isfinite(value):
                return losses, len(losses) - 1
    return losses, None
"""
