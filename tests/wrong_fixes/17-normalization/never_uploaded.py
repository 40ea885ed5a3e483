"""Everything stays on the host."""

EXERCISE = "inputs"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float(), (0, 2, 3), keepdim=True)

    def normalize(batch):
        return batch.float().sub_(mean).div_(std)

    return normalize
"""
