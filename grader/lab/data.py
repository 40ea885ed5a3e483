"""Generated data: the same for the same seed, nothing to download."""

import torch


def clusters(
    samples: int, features: int, classes: int, seed: int, spread: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Points around one centre a class, in random order.

    Returns x: float32 (samples, features) and y: int64 (samples,), both on the CPU. `spread`: the
    standard deviation of a point around its centre; the centres' own is 1.
    """
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(classes, features, generator=generator)
    y = torch.randint(classes, (samples,), generator=generator)
    return centres[y] + spread * torch.randn(samples, features, generator=generator), y
