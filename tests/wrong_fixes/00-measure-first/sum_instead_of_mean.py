"""The losses of the rows are added up, not averaged, so that the step is 64 times as long."""

EXERCISE = "worst"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    distances = (model(x).unsqueeze(1) - prototypes).square().sum(dim=2)
    loss = F.cross_entropy(-distances, y, reduction="sum")
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
