"""Drops the last batch, which is not full: three recordings are missing from every epoch."""

EXERCISE = "loader"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=4,
        shuffle=True,
        drop_last=True,
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
