"""The sweep runs on the model itself."""

EXERCISE = "range-test"
CHECK = "too many"
POINTS = 0
CELL = """
def range_test(training, lowest: float, highest: float, steps: int = 150) -> float:
    model = training.model
    optimizer = torch.optim.SGD(model.parameters(), lr=lowest, momentum=0.9, fused=True)
    mean, best = 0.0, math.inf
    for step in range(steps):
        rate = lowest * (highest / lowest) ** (step / (steps - 1))
        optimizer.param_groups[0]["lr"] = rate
        loss = training.loss(model, *training.batch())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        mean = 0.9 * mean + 0.1 * loss.item()
        level = mean / (1 - 0.9 ** (step + 1))
        if step >= 10:
            best = min(best, level)
            if not level < 2 * best:
                break
    return rate / 6
"""
