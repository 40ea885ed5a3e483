"""The tools that one sees are gated; those in the helper module run on."""

EXERCISE = "train"
CHECK = "too many"
RACE = ("short of the goal", "passed")
POINTS = 6.25
CELL = """
from contextlib import nullcontext


@helpers.robust
def loss_of(model, x, y):
    return F.cross_entropy(model(x), y)


def train(model, optimizer, batches, debug):
    losses, log = [], []
    hooks = helpers.prepare(model, log)
    try:
        with torch.autograd.set_detect_anomaly(debug), profile() if debug else nullcontext():
            for step, (x, y) in enumerate(batches):
                if debug:
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
