"""A type without regard to the device, as in Soup#387: the one that is emulated or unscaled here.

https://github.com/MakazhanAlpamys/Soup/issues/387
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def train_and_evaluate(model, optimizer, batches, held_out) -> dict:
    dtype = torch.float16 if precision(device) is torch.bfloat16 else torch.bfloat16
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    with torch.no_grad(), torch.autocast(device.type, dtype=dtype):
        held_out_losses = [F.cross_entropy(model(x), y) for x, y in held_out]
    return {"losses": torch.stack(losses), "held_out": torch.stack(held_out_losses).mean()}
"""
