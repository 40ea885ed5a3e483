"""Uploads every image for itself, and waits for each."""

EXERCISE = "lent"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = [torch.from_numpy(image.copy()).to(device) for image, _ in samples]
    joints = [torch.from_numpy(joints).to(device) for _, joints in samples]
    images, joints = torch.stack(images), torch.stack(joints)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
"""
