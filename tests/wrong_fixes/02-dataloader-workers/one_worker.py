"""One worker loads as slowly as the process itself: it moves the waiting, and nothing overlaps."""

EXERCISE = "loader"
CHECK = "too few"
RACE = ("slower", "short of the goal")
POINTS = 2
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        collate_fn=storage.collate,
        shuffle=True,
        num_workers=1,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
    )
"""
