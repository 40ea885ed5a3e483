"""Still a training for each rate, from the start, only shorter ones: no sweep."""

EXERCISE = "range-test"
CHECK = "too many"
POINTS = 2
CELL = """
def range_test(training, lowest: float, highest: float) -> float:
    rate, best = lowest, math.inf
    while rate < highest:
        model = copy.deepcopy(training.model)
        optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9, fused=True)
        losses = []
        for _ in range(14):
            loss = training.loss(model, *training.batch())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        level = statistics.mean(losses[-10:])
        best = min(best, level)
        if not level < 2 * best:
            break
        rate *= 2
    return rate / 6
"""
