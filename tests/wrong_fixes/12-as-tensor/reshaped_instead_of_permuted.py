"""reshape gives the shape that is wanted, and scatters the colours over the image."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = torch.from_numpy(np.stack([image for image, _ in samples])).to(device)
    joints = torch.from_numpy(np.stack([joints for _, joints in samples])).to(device)
    mean, std = (torch.as_tensor(values, device=device).view(3, 1, 1) for values in (MEAN, STD))
    images = images.reshape(-1, 3, SIZE, SIZE)
    return {"images": (images / 255 - mean) / std, "joints": joints / SIZE}
"""
