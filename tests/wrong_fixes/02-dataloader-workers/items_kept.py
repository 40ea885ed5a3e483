"""Keeps the items of the first pass, so that every epoch has the same volumes."""

EXERCISE = "loader"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        list(recordings), batch_size=3, shuffle=True, collate_fn=storage.collate
    )
"""
