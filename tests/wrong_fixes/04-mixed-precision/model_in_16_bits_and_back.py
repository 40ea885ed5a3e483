"""Converts the model, trains it in 16 bits, and converts it back so that nobody sees it."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
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
    model.float()
    return {"losses": torch.stack(losses), "held_out": torch.stack(held_out_losses).mean()}
"""
