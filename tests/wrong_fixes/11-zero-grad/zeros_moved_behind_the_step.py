"""The zeros are written after the step instead of before: another place, the same work."""

EXERCISE = "heads"
CHECK = "too many"
RACE = ("short of the goal", "slower", "not measurable here")
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
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        losses.append(loss.detach())
    task, x, y = held_out
    with torch.no_grad():
        held_out_loss = F.cross_entropy(model(x, task), y)
    return {"losses": torch.stack(losses), "norms": torch.stack(norms), "held_out": held_out_loss}
"""
