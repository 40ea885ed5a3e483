"""Leaves the arithmetic to somebody else: the batch is uint8."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.from_numpy(np.stack([image for image, _ in samples])).to(device)
    joints = torch.from_numpy(np.stack([joints for _, joints in samples])).to(device)
    return {"images": images.permute(0, 3, 1, 2), "joints": joints / SIZE}
"""
