"""Saves messages between processes by larger batches, which is another training."""

EXERCISE = "loader"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=6,
        collate_fn=storage.collate,
        shuffle=True,
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
