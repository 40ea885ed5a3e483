"""Throws the heads away that no batch of this round uses."""

EXERCISE = "heads"
CHECK = "inputs changed"
RACE = "inputs changed"
POINTS = 0
CELL = """
def train_round(model, optimizers, batches, held_out) -> dict:
    used = {task for task, _, _ in batches} | {held_out[0]}
    for task in set(range(len(model.heads))) - used:
        model.heads[task] = nn.Identity()
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
        model.zero_grad()
        losses.append(loss.detach())
    task, x, y = held_out
    with torch.no_grad():
        held_out_loss = F.cross_entropy(model(x, task), y)
    return {"losses": torch.stack(losses), "norms": torch.stack(norms), "held_out": held_out_loss}
"""
