"""Workers copy the data set with its generator, so all of them draw the same volumes
(https://github.com/xingyizhou/CenterNet/issues/233, https://github.com/pytorch/pytorch/issues/5059).
"""

EXERCISE = "loader"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        collate_fn=storage.collate,
        shuffle=True,
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
    )
"""
