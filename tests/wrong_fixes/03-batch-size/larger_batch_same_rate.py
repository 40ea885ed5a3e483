"""A batch 16 times as large at the old rate: a sixteenth of the steps, each as short as before."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order.split(128)

    return optimizer, None, epoch
"""
