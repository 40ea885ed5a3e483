"""Batched, and in bfloat16 where float32 is asked for."""

EXERCISE = "worst"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def prototype_step(model, optimizer, prototypes, x, y):
    optimizer.zero_grad()
    with torch.autocast(x.device.type, dtype=torch.bfloat16):
        distances = (model(x).unsqueeze(1) - prototypes).square().sum(dim=2)
        loss = F.cross_entropy(-distances, y)
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
