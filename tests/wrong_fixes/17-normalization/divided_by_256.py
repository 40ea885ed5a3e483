"""Pixels by 256, statistics by 255
(https://github.com/Daniil-Osokin/lightweight-human-pose-estimation.pytorch/issues/140)."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    pixels = images[train_rows].float() / 255
    std, mean = torch.std_mean(pixels, (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)

    def normalize(batch):
        return (batch.to(device).float() / 256 - mean) / std

    return normalize
"""
