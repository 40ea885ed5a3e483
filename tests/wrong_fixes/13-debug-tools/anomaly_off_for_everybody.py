"""Anomaly detection is switched off for good, with debug on as well."""

EXERCISE = "train"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
@helpers.robust
def loss_of(model, x, y):
    return F.cross_entropy(model(x), y)


def train(model, optimizer, batches, debug):
    torch.autograd.set_detect_anomaly(False)
    losses, log = [], []
    hooks = helpers.prepare(model, log)
    try:
        with profile():
            for step, (x, y) in enumerate(batches):
                helpers.check_gradient(Swish.apply)
                optimizer.zero_grad()
                loss = loss_of(model, x, y)
                losses.append(loss.item())
                if not math.isfinite(losses[-1]):
                    return losses, step
                loss.backward()
                log.append(helpers.gradient_report(model))
                optimizer.step()
    finally:
        helpers.finish(hooks)
    return losses, None
"""
