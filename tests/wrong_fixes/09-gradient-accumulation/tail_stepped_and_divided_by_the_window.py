"""Steps the tail, and divides it by the whole window's number of micro-batches.

https://github.com/Lightning-AI/pytorch-lightning/issues/19987
"""

EXERCISE = "accumulation"
CHECK = "too many"
POINTS = 5
CELL = """
def train_epoch(model, optimizer, scheduler, batches, window, max_norm) -> float:
    losses = []
    for number, (x, y) in enumerate(batches, start=1):
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=IGNORE)
        (loss / window).backward()
        losses.append(loss.detach())
        if number % window == 0 or number == len(batches):
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    return torch.stack(losses).mean().item()
"""
