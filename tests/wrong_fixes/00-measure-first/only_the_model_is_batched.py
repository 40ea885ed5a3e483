"""The net sees the whole batch, the distances and the loss still one row at a time."""

EXERCISE = "worst"
CHECK = "too many"
RACE = ("passed", "short of the goal")
POINTS = 2
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    losses = []
    for output, label in zip(model(x), y):
        distances = (output - prototypes).square().sum(dim=1)
        losses.append(F.cross_entropy(-distances, label))
    loss = torch.stack(losses).mean()
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
