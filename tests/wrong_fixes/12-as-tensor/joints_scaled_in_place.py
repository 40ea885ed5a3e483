"""from_numpy, then div_: writes into the memory that was lent
(https://github.com/Trusted-AI/adversarial-robustness-toolbox/issues/2262)."""

EXERCISE = "lent"
CHECK = "inputs changed"
RACE = "inputs changed"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.from_numpy(np.stack([image for image, _ in samples])).to(device)
    joints = torch.stack([torch.from_numpy(joints).div_(SIZE) for _, joints in samples])
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images / 255 - mean) / std, "joints": joints.to(device)}
"""
