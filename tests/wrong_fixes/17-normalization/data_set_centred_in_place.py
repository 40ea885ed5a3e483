"""Centres the data set itself, in bytes and in place."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float(), (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)
    images -= mean.to(images.device)[0].round().to(torch.uint8)

    def normalize(batch):
        return batch.to(device).float() / std

    return normalize
"""
