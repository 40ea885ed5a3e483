"""The mean of the images' standard deviations, as the constants of ImageNet came to be
(https://github.com/pytorch/vision/pull/1965), is less than that of all pixels."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    pixels = images[train_rows].float()
    mean = pixels.mean((0, 2, 3), keepdim=True).to(device)
    std = pixels.std((2, 3)).mean(0)[:, None, None].to(device)

    def normalize(batch):
        return batch.to(device).float().sub_(mean).div_(std)

    return normalize
"""
