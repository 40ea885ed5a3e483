"""Starts as many workers as it can think of: 32 processes for an epoch of six batches."""

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
        num_workers=32,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
