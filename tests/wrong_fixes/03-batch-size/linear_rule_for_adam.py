"""Adam's rate of 0.01 multiplied by 16, as if it were SGD
(https://github.com/NVIDIA/apex/issues/407 asks whether one may).
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_training(model, samples, generator) -> tuple:
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01 * 16, fused=True)

    def epoch():
        order = torch.randperm(samples, generator=generator, device=generator.device)
        return order.split(128)

    return optimizer, None, epoch
"""
