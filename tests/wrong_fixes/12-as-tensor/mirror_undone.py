"""Negative strides are turned round, so that from_numpy takes them: the mirroring is lost."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = []
    for image, _ in samples:
        image = image[:, ::-1] if image.strides[1] < 0 else image
        images.append(torch.from_numpy(image))
    images = torch.stack(images).to(device)
    joints = torch.from_numpy(np.stack([joints for _, joints in samples])).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
"""
