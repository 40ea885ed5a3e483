"""Batches filled up with samples that are in the epoch already."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.48, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        missing = -samples % 192
        return torch.cat([order, order[:missing]]).split(192)

    return optimizer, None, epoch
"""
