"""The rate multiplied by eight workers, although the batch grew 64 times
(https://github.com/mala-project/mala/issues/422).
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02 * 8, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order.split(512)

    return optimizer, None, epoch
"""
