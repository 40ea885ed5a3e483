"""The loop in one line: still one row at a time."""

EXERCISE = "worst"
CHECK = "too many"
RACE = ("short of the goal", "slower", "not measurable here")
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    losses = [
        F.cross_entropy(-(model(row) - prototypes).square().sum(dim=1), label)
        for row, label in zip(x, y)
    ]
    loss = torch.stack(losses).mean()
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
