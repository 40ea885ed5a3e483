"""Normalised where the batch is made, and once more
(https://github.com/soumith/imagenet-multiGPU.torch/pull/18)."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float(), (0, 2, 3), keepdim=True)
    mean, std = mean.to(device), std.to(device)

    def normalize(batch):
        once = (batch.to(device).float() - mean) / std
        return (once - mean) / std

    return normalize
"""
