"""One mean and one standard deviation for the three channels together."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float())
    mean, std = mean.to(device), std.to(device)

    def normalize(batch):
        return batch.to(device).float().sub_(mean).div_(std)

    return normalize
"""
