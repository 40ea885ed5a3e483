"""Concatenates the window into the large batch that did not fit."""

EXERCISE = "accumulation"
CHECK = "too many"
POINTS = 0
CELL = """
def train_epoch(model, optimizer, scheduler, batches, window, max_norm) -> float:
    epoch_loss = epoch_tokens = 0
    for start in range(0, len(batches), window):
        x, y = padded([pair for b in batches[start : start + window] for pair in zip(*b)])
        tokens = (y != IGNORE).sum()
        output = model(x).flatten(0, 1)
        loss = F.cross_entropy(output, y.flatten(), ignore_index=IGNORE)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        epoch_loss += loss.detach() * tokens
        epoch_tokens += tokens
    return (epoch_loss / epoch_tokens).item()
"""
