"""as_tensor instead of tensor, as the article says: a list of arrays stays one
(https://github.com/pytorch/pytorch/issues/24373)."""

EXERCISE = "lent"
CHECK = "too many"
RACE = ("slower", "short of the goal", "not measurable here")
POINTS = 0
CELL = """
def make_batch(samples, device) -> dict:
    images = [
        ((image.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1) for image, _ in samples
    ]
    joints = [joints / SIZE for _, joints in samples]
    return {
        "images": torch.as_tensor(images).to(device),
        "joints": torch.as_tensor(joints).to(device),
    }
"""
