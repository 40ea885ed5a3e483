"""The whole data set in a batch, and everything else as before: a few tiny steps
(https://github.com/pytorch/pytorch/issues/9170, 58 % became 19 %).
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order.split(2048)

    return optimizer, None, epoch
"""
