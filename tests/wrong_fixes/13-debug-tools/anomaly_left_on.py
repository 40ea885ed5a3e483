"""The switch of anomaly detection is set for the whole process, as by a helper module on import.

https://github.com/yenchenlin/nerf-pytorch/issues/42
"""

EXERCISE = "train"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
import contextlib


def loss_of(model, x, y):
    return F.cross_entropy(model(x), y)


def train(model, optimizer, batches, debug):
    losses, unread, log = [], [], []
    loss_function = helpers.robust(loss_of) if debug else loss_of
    with contextlib.ExitStack() as tools:
        if debug:
            helpers.check_gradient(Swish.apply)
            tools.callback(helpers.finish, helpers.prepare(model, log))
            torch.autograd.set_detect_anomaly(True)
            few_steps = schedule(wait=1, warmup=1, active=3, repeat=1)
            prof = tools.enter_context(profile(schedule=few_steps))
        for step, (x, y) in enumerate(batches, start=1):
            optimizer.zero_grad()
            loss = loss_function(model, x, y)
            loss.backward()
            optimizer.step()
            unread.append(loss.detach())
            if debug:
                log.append(helpers.gradient_report(model))
                prof.step()
            if step % 4 == 0:
                for value in torch.stack(unread).tolist():
                    losses.append(value)
                    if not math.isfinite(value):
                        return losses, len(losses) - 1
                unread.clear()
    return losses, None
"""
