"""Stops the leak into the next epoch, by throwing the tail's gradient away.

https://github.com/timoschick/pet/issues/36
"""

EXERCISE = "accumulation"
CHECK = "too many"
POINTS = 3.75
CELL = """
def train_epoch(model, optimizer, scheduler, batches, window, max_norm) -> float:
    optimizer.zero_grad()
    losses = []
    for number, (x, y) in enumerate(batches, start=1):
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=IGNORE)
        (loss / window).backward()
        losses.append(loss.detach())
        if number % window == 0:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    return torch.stack(losses).mean().item()
"""
