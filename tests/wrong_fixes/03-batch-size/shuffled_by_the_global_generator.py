"""The order comes from the global generator, which the slow version leaves alone."""

EXERCISE = "training"
CHECK = "global state changed"
RACE = "global state changed"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.32, momentum=0.9, fused=True)

    def epoch():
        return torch.randperm(samples).to(generator.device).split(128)

    return optimizer, None, epoch
"""
