"""from_numpy of each view: a mirrored one has a negative stride
(https://github.com/aleju/imgaug/issues/630)."""

EXERCISE = "lent"
CHECK = "error"
RACE = "error"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.stack([torch.from_numpy(image) for image, _ in samples]).to(device)
    joints = torch.stack([torch.from_numpy(joints) for _, joints in samples]).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
"""
