"""An epoch of half of the samples: cheaper, and another task."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.32, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order[: samples // 2].split(128)

    return optimizer, None, epoch
"""
