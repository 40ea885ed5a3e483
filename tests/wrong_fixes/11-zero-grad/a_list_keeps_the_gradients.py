"""Cleared right after the step, but a list made for the norm keeps the gradients alive."""

EXERCISE = "heads"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 8
CELL = """
def train_round(model, optimizers, batches, held_out) -> dict:
    losses, norms = [], []
    for task, x, y in batches:
        loss = F.cross_entropy(model(x, task), y)
        loss.backward()
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        norms.append(torch.nn.utils.get_total_norm(gradients))
        for optimizer in optimizers:
            optimizer.step()
        model.zero_grad()
        losses.append(loss.detach())
    task, x, y = held_out
    with torch.no_grad():
        held_out_loss = F.cross_entropy(model(x, task), y)
    return {"losses": torch.stack(losses), "norms": torch.stack(norms), "held_out": held_out_loss}
"""
