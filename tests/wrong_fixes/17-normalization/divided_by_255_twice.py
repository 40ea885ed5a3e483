"""The batch is divided by 255 in two places
(https://github.com/4uiiurz1/pytorch-nested-unet/issues/62)."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    pixels = images[train_rows].float() / 255
    std, mean = torch.std_mean(pixels, (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)

    def scaled(batch):
        return batch.to(device).float() / 255

    def normalize(batch):
        return (scaled(batch) / 255 - mean) / std

    return normalize
"""
