"""A batch that does not divide the data, and drop_last: 128 samples are missing in every epoch."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.48, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        whole = samples // 192 * 192
        return order[:whole].split(192)

    return optimizer, None, epoch
"""
