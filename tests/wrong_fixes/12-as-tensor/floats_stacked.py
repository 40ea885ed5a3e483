"""Stacked first, but normalised before: four times the bytes cross."""

EXERCISE = "lent"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 5
CELL = """
def make_batch(samples, device) -> dict:
    images = [
        ((image.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1) for image, _ in samples
    ]
    joints = np.stack([joints / SIZE for _, joints in samples])
    return {
        "images": torch.from_numpy(np.stack(images)).to(device),
        "joints": torch.from_numpy(joints).to(device),
    }
"""
