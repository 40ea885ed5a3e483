"""Writes every batch into the same memory, so that the ones before are lost."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float(), (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)
    buffer = torch.empty(64, 3, 24, 24, device=device)

    def normalize(batch):
        pixels = buffer[: len(batch)]
        pixels.copy_(batch.to(device))
        return pixels.sub_(mean).div_(std)

    return normalize
"""
