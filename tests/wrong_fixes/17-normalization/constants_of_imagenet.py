"""Mean and standard deviation of another data set, copied from a tutorial."""

EXERCISE = "inputs"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    mean = torch.tensor([0.485, 0.456, 0.406], device=device)[:, None, None]
    std = torch.tensor([0.229, 0.224, 0.225], device=device)[:, None, None]

    def normalize(batch):
        return (batch.to(device).float() / 255 - mean) / std

    return normalize
"""
