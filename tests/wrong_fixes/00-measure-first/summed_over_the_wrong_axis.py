"""Sums over the prototypes instead of the features; the shapes happen to fit."""

EXERCISE = "worst"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    distances = (model(x).unsqueeze(1) - prototypes).square().sum(dim=1)
    loss = F.cross_entropy(-distances, y)
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
