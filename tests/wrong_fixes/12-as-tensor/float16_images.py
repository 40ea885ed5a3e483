"""Normalised on the host and uploaded as float16: half the bytes, and fewer digits."""

EXERCISE = "lent"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = [
        ((image.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1) for image, _ in samples
    ]
    joints = np.stack([joints / SIZE for _, joints in samples])
    return {
        "images": torch.from_numpy(np.stack(images).astype(np.float16)).to(device).float(),
        "joints": torch.from_numpy(joints).to(device),
    }
"""
