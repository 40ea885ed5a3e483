"""Fast, with the statistics of the test split still in them
(https://github.com/cornellius-gp/gpytorch/pull/2761)."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images.float(), (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)

    def normalize(batch):
        return batch.to(device).float().sub_(mean).div_(std)

    return normalize
"""
