"""Batched, and the optimizer"s step got lost on the way."""

EXERCISE = "worst"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    distances = (model(x).unsqueeze(1) - prototypes).square().sum(dim=2)
    loss = F.cross_entropy(-distances, y)
    loss.backward()
    return loss.detach()
"""
