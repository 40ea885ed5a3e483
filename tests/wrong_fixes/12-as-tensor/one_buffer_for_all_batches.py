"""Writes every batch into the same tensor and returns it: the next batch overwrites the last
(https://github.com/Farama-Foundation/SuperSuit/pull/116)."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
BUFFERS = {}


def make_batch(samples, device) -> dict:
    images = torch.from_numpy(np.stack([image for image, _ in samples])).to(device)
    joints = torch.from_numpy(np.stack([joints for _, joints in samples])).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    if not BUFFERS:
        BUFFERS["images"] = torch.empty(images.shape, device=device)
        BUFFERS["joints"] = torch.empty(joints.shape, device=device)
    torch.div(images / 255 - mean, std, out=BUFFERS["images"])
    torch.div(joints, SIZE, out=BUFFERS["joints"])
    return dict(BUFFERS)
"""
