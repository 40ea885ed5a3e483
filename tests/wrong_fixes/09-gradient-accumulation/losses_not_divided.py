"""Adds the micro-batches' mean losses up: a learning rate that grows with the window.

https://github.com/hiyouga/LlamaFactory/issues/7443
"""

EXERCISE = "accumulation"
CHECK = "too many"
POINTS = 0
CELL = """
def train_epoch(model, optimizer, scheduler, batches, window, max_norm) -> float:
    epoch_loss = epoch_tokens = 0
    for start in range(0, len(batches), window):
        group = batches[start : start + window]
        for x, y in group:
            output = model(x).flatten(0, 1)
            loss = F.cross_entropy(output, y.flatten(), ignore_index=IGNORE)
            loss.backward()
            epoch_loss += loss.detach()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        epoch_tokens += len(group)
    return (epoch_loss / epoch_tokens).item()
"""
