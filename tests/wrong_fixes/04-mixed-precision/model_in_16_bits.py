"""Converts the model, as in pytorch#74739: parameters in 16 bits, small updates are lost.

https://github.com/pytorch/pytorch/issues/74739
"""

EXERCISE = "training"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def train_and_evaluate(model, optimizer, batches, held_out) -> dict:
    dtype = precision(device)
    model.to(dtype)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x.to(dtype)).float(), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    with torch.no_grad():
        held_out_losses = [F.cross_entropy(model(x.to(dtype)).float(), y) for x, y in held_out]
    return {"losses": torch.stack(losses), "held_out": torch.stack(held_out_losses).mean()}
"""
