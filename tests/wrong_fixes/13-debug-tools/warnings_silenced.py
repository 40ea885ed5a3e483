"""The warnings about the tools are switched off, the tools are not."""

EXERCISE = "train"
CHECK = "too many"
RACE = ("short of the goal", "slower")
POINTS = 0
CELL = """
import warnings


@helpers.robust
def loss_of(model, x, y):
    return F.cross_entropy(model(x), y)


def train(model, optimizer, batches, debug):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return train_in_silence(model, optimizer, batches)


def train_in_silence(model, optimizer, batches):
    losses, log = [], []
    hooks = helpers.prepare(model, log)
    try:
        with torch.autograd.set_detect_anomaly(True), profile():
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
