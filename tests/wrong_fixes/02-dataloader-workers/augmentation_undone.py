"""A collate function that normalises every wave to its peak, and so undoes the random volume."""

EXERCISE = "loader"
CHECK = "wrong answer"
RACE = "wrong answer"
POINTS = 0
CELL = """
def collate(items):
    return storage.collate([(wave / wave.abs().max(), origin) for wave, origin in items])


def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        shuffle=True,
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=storage.renew_generator,
        collate_fn=collate,
        multiprocessing_context="fork",
    )
"""
