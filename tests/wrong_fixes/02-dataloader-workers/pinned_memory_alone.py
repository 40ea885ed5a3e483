"""Pins memory in the process that loads: without workers there is nothing to overlap with."""

EXERCISE = "loader"
CHECK = "too few"
RACE = ("slower", "short of the goal")
POINTS = 2
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        shuffle=True,
        collate_fn=storage.collate,
        pin_memory=True,
    )
"""
