"""Each worker has a fixed seed and is started every epoch, so every epoch repeats the first."""

EXERCISE = "loader"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
import numpy as np
from torch.utils.data import get_worker_info


def seed_worker(worker_id):
    get_worker_info().dataset.generator = np.random.default_rng(worker_id)


def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        recordings,
        batch_size=3,
        collate_fn=storage.collate,
        shuffle=True,
        num_workers=2,
        pin_memory=device.type == "cuda",
        worker_init_fn=seed_worker,
        multiprocessing_context="fork",
    )
"""
