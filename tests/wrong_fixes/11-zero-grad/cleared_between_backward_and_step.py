"""Clears after backward and before the step: nothing learns."""

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
        model.zero_grad()
        for optimizer in optimizers:
            optimizer.step()
        losses.append(loss.detach())
    task, x, y = held_out
    with torch.no_grad():
        held_out_loss = F.cross_entropy(model(x, task), y)
    return {"losses": torch.stack(losses), "norms": torch.stack(norms), "held_out": held_out_loss}
"""
