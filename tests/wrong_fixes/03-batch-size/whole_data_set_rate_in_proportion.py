"""The linear rule far beyond the critical batch: 256 times the rate is more than SGD endures
(https://github.com/airsplay/lxmert/issues/77, solved by a smaller rate).
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02 * 2048 / 8, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order.split(2048)

    return optimizer, None, epoch
"""
