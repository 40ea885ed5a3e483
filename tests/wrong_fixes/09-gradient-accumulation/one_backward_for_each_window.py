"""Adds the losses up and goes backward once: right numbers, the memory of the large batch.

https://github.com/meta-pytorch/torchtune/pull/1917
"""

EXERCISE = "accumulation"
CHECK = "too many"
POINTS = 0
CELL = """
def train_epoch(model, optimizer, scheduler, batches, window, max_norm) -> float:
    epoch_loss = epoch_tokens = 0
    for start in range(0, len(batches), window):
        group = batches[start : start + window]
        tokens = sum((y != IGNORE).sum() for _, y in group)
        window_loss = 0
        for x, y in group:
            output = model(x).flatten(0, 1)
            loss = F.cross_entropy(output, y.flatten(), ignore_index=IGNORE, reduction="sum")
            window_loss = window_loss + loss / tokens
            epoch_loss += loss.detach()
        window_loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        epoch_tokens += tokens
    return (epoch_loss / epoch_tokens).item()
"""
