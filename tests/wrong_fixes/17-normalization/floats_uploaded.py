"""Right, and a batch at a time, but made float on the host: four times the bytes cross."""

EXERCISE = "inputs"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 3
CELL = """
def make_normalize(images, train_rows, device):
    std, mean = torch.std_mean(images[train_rows].float(), (0, 2, 3), keepdim=True)

    def normalize(batch):
        return batch.float().sub_(mean).div_(std).to(device)

    return normalize
"""
