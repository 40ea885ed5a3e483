"""One noisy batch decides: the loss is not averaged, and the sweep ends at once."""

EXERCISE = "range-test"
CHECK = "too many"
POINTS = 0
CELL = """
def range_test(training, lowest: float, highest: float, steps: int = 150) -> float:
    model = copy.deepcopy(training.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lowest, momentum=0.9, fused=True)
    best = math.inf
    for step in range(steps):
        rate = lowest * (highest / lowest) ** (step / (steps - 1))
        optimizer.param_groups[0]["lr"] = rate
        loss = training.loss(model, *training.batch())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        level = loss.item()
        best = min(best, level)
        if not level < 2 * best:
            break
    return rate / 6
"""
