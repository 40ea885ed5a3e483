"""Stacked and normalised on the host, and left there."""

EXERCISE = "lent"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.from_numpy(np.stack([image for image, _ in samples]))
    joints = torch.from_numpy(np.stack([joints for _, joints in samples]))
    mean, std = (torch.from_numpy(values).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
"""
