"""Starts the workers anew for every epoch, which takes longer than the epoch
(https://github.com/open-mmlab/mmhuman3d/pull/233).
"""

EXERCISE = "loader"
CHECK = "too few"
RACE = ("slower", "inconclusive")
POINTS = 4
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        collate_fn=storage.collate,
        shuffle=True,
        num_workers=2,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
