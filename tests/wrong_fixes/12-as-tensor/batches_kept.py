"""Keeps what it made of each array by the array's id: what was lent holds new pixels by then."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
MADE = {}


def make_batch(samples, device) -> dict:
    key = tuple(id(image) for image, _ in samples)
    if key in MADE:
        return MADE[key]
    images = torch.from_numpy(np.stack([image for image, _ in samples])).to(device)
    joints = torch.from_numpy(np.stack([joints for _, joints in samples])).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    MADE.clear()
    MADE[key] = {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
    return MADE[key]
"""
