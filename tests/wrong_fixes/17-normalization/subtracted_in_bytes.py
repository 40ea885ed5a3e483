"""The mean is subtracted while pixels are bytes, which wrap around."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float(), (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)

    def normalize(batch):
        centred = batch.to(device) - mean.round().to(torch.uint8)
        return centred.float() / std

    return normalize
"""
