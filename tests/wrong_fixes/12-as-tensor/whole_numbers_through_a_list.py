"""Pixels through Python lists: number by number, and as int64, eight bytes each."""

EXERCISE = "lent"
CHECK = "too many"
RACE = ("slower", "short of the goal", "not measurable here")
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.tensor([image.tolist() for image, _ in samples]).to(device)
    joints = torch.tensor([joints.tolist() for _, joints in samples]).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.permute(0, 3, 1, 2).contiguous()
    return {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
"""
