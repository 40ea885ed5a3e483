"""Anomaly detection stays on for good, in the place of a check of the loss.

https://github.com/Lightning-AI/pytorch-lightning/issues/12344
"""

EXERCISE = "train"
CHECK = "too many"
RACE = ("passed", "short of the goal")
POINTS = 8.5
CELL = """
import contextlib


def loss_of(model, x, y):
    return F.cross_entropy(model(x), y)


def train(model, optimizer, batches, debug):
    losses, unread, log = [], [], []
    loss_function = helpers.robust(loss_of) if debug else loss_of
    with contextlib.ExitStack() as tools:
        tools.enter_context(torch.autograd.set_detect_anomaly(True))
        if debug:
            helpers.check_gradient(Swish.apply)
            tools.callback(helpers.finish, helpers.prepare(model, log))
            few_steps = schedule(wait=1, warmup=1, active=3, repeat=1)
            prof = tools.enter_context(profile(schedule=few_steps))
        for step, (x, y) in enumerate(batches, start=1):
            optimizer.zero_grad()
            loss = loss_function(model, x, y)
            try:
                loss.backward()
            except RuntimeError:
                return torch.stack(unread).tolist() if unread else [], step - 1
            optimizer.step()
            unread.append(loss.detach())
            if debug:
                log.append(helpers.gradient_report(model))
                prof.step()
    return torch.stack(unread).tolist(), None
"""
