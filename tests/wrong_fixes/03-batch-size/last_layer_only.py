"""A smaller model in disguise: all layers but the last stay as they were drawn."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model[-1].parameters(), lr=0.32, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order.split(128)

    return optimizer, None, epoch
"""
