"""optimizer.zero_grad() of the heads alone: the trunk, in another optimizer, accumulates."""

EXERCISE = "heads"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def train_round(model, optimizers, batches, held_out) -> dict:
    losses, norms = [], []
    for task, x, y in batches:
        loss = F.cross_entropy(model(x, task), y)
        loss.backward()
        norms.append(
            torch.nn.utils.get_total_norm(
                [p.grad for p in model.parameters() if p.grad is not None]
            )
        )
        for optimizer in optimizers:
            optimizer.step()
        optimizers[1].zero_grad()
        losses.append(loss.detach())
    task, x, y = held_out
    with torch.no_grad():
        held_out_loss = F.cross_entropy(model(x, task), y)
    return {"losses": torch.stack(losses), "norms": torch.stack(norms), "held_out": held_out_loss}
"""
