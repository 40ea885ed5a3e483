"""Loses the shuffling: every epoch has the order of the files."""

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
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
