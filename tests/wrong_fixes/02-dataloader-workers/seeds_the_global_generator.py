"""Seeds NumPy's global generator in every worker, and the data set has one of its own
(https://github.com/pytorch/pytorch/issues/5059).
"""

EXERCISE = "loader"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
import numpy as np


def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        collate_fn=storage.collate,
        shuffle=True,
        num_workers=2,
        persistent_workers=True,
        pin_memory=device.type == "cuda",
        worker_init_fn=np.random.seed,
    )
"""
