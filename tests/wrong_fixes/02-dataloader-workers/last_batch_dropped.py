"""Drops the last batch, which is not full: two recordings are missing from every epoch."""

EXERCISE = "loader"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        collate_fn=storage.collate,
        shuffle=True,
        drop_last=True,
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
