"""Counts every element of the labels, padding included."""

EXERCISE = "accumulation"
CHECK = "too many"
POINTS = 6.25
CELL = """
def train_epoch(model, optimizer, scheduler, batches, window, max_norm) -> float:
    epoch_loss = epoch_tokens = 0
    for start in range(0, len(batches), window):
        group = batches[start : start + window]
        tokens = sum(y.numel() for _, y in group)
        for x, y in group:
            output = model(x).flatten(0, 1)
            loss = F.cross_entropy(output, y.flatten(), ignore_index=IGNORE, reduction="sum")
            (loss / tokens).backward()
            epoch_loss += loss.detach()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        epoch_tokens += tokens
    return epoch_loss.item() / epoch_tokens
"""
