"""Each batch by its own mean and standard deviation: a sample depends on the others."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    del images, train_rows

    def normalize(batch):
        pixels = batch.to(device).float()
        std, mean = torch.std_mean(pixels, (0, 2, 3), keepdim=True)
        return (pixels - mean) / std

    return normalize
"""
