"""Means and deviations are meant for pixels from 0 to 1; these go up to 255."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.from_numpy(np.stack([image for image, _ in samples])).to(device)
    joints = torch.from_numpy(np.stack([joints for _, joints in samples])).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images.float() - mean) / std, "joints": joints / SIZE}
"""
