"""Looks at every other row: half the work, another gradient."""

EXERCISE = "worst"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    distances = (model(x[::2]).unsqueeze(1) - prototypes).square().sum(dim=2)
    loss = F.cross_entropy(-distances, y[::2])
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
