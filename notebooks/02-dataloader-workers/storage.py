"""Photos and recordings on slow storage, in a module so that loader workers can import them.

A worker that was started by forkserver or spawn (Linux from Python 3.14 on, Windows, macOS) begins
as an empty process. It imports what it needs by name, and a notebook's cells have no name.
"""

import os
import time
import zlib
from typing import NamedTuple

import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info

LATENCY = 0.004  # seconds that every read sleeps: it stands for storage behind a network
SIDE = 128  # pixels of a stored photo
CROP = 64  # pixels of a loaded one
SAMPLES = 4_096  # of one recording


class Photos(Dataset):
    """Compressed photos with labels 0 to 9; every item is decoded and augmented anew.

    An item is a pair: float32 (3, CROP, CROP) with values from -1 to 1, and an int. The random
    crop and the random flip draw from NumPy's global generator, which a `DataLoader` seeds
    differently in every worker and for every start of one.
    """

    def __init__(self, count: int, seed: int) -> None:
        generator = np.random.default_rng(seed)
        self.labels = generator.integers(10, size=count)
        self.files = []
        for label in self.labels:
            # A smooth picture with some noise, brighter for a higher label.
            coarse = generator.integers(256, size=(8, 8, 3)).repeat(SIDE // 8, 0)
            smooth = coarse.repeat(SIDE // 8, 1) * 0.5 + 10 * label
            noise = generator.integers(16, size=smooth.shape)
            self.files.append(zlib.compress((smooth + noise).astype(np.uint8)))

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, number: int) -> tuple[torch.Tensor, int]:
        time.sleep(LATENCY)
        decoded = np.frombuffer(zlib.decompress(self.files[number]), np.uint8)
        top, left = np.random.randint(SIDE - CROP, size=2)
        photo = decoded.reshape(SIDE, SIDE, 3)[top : top + CROP, left : left + CROP]
        if np.random.random() < 0.5:
            photo = photo[:, ::-1]
        pixels = photo.transpose(2, 0, 1).astype(np.float32) / 127.5 - 1
        return torch.from_numpy(pixels), int(self.labels[number])


class Origin(NamedTuple):
    """Where a loaded recording comes from."""

    number: int  # of the recording
    volume: float  # at which it is played
    process: int  # id of the process that loaded it
    read_at: float  # when that process read it, in seconds


class Recordings(Dataset):
    """Compressed recordings; every item is decoded and played at a random volume anew.

    An item is a pair: float32 (SAMPLES,) with values from -1 to 1, and its `Origin`. The volume,
    from 0.5 to 1, is drawn from `self.generator`, which belongs to the data set.
    """

    def __init__(self, count: int, seed: int) -> None:
        self.generator = np.random.default_rng(seed)
        self.files = []
        for pitch in self.generator.uniform(0.01, 0.1, size=count):
            tone = 0.8 * np.sin(pitch * np.arange(SAMPLES))
            noise = self.generator.normal(scale=0.05, size=SAMPLES)
            wave = 32_767 * np.clip(tone + noise, -1, 1)
            self.files.append(zlib.compress(wave.astype(np.int16)))

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, number: int) -> tuple[torch.Tensor, Origin]:
        read_at = time.perf_counter()
        time.sleep(LATENCY)
        decoded = np.frombuffer(zlib.decompress(self.files[number]), np.int16)
        volume = self.generator.uniform(0.5, 1.0)
        wave = torch.from_numpy(decoded * np.float32(volume / 32_768))
        return wave, Origin(number, volume, os.getpid(), read_at)


def collate(items: list[tuple[torch.Tensor, Origin]]) -> tuple[torch.Tensor, list[Origin]]:
    """A batch of recordings: float32 (batch, SAMPLES), and the origin of each of them."""
    waves, origins = zip(*items, strict=True)
    return torch.stack(waves), list(origins)


def renew_generator(worker_id: int) -> None:
    """Give the copy of the data set in this worker a generator of its own (a `worker_init_fn`)."""
    worker = get_worker_info()
    worker.dataset.generator = np.random.default_rng(worker.seed)
