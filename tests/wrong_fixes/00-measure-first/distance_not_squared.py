"""torch.cdist gives the distance; the step needs its square."""

EXERCISE = "worst"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(-torch.cdist(model(x), prototypes), y)
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
