"""Networks and data of the demonstrations, in a module so that every rank can import them."""

import torch
from torch import nn


def deep_network(seed: int) -> nn.Module:
    """float32 (batch, 256) -> logits (batch, 10): 600,000 parameters in 20 tensors."""
    torch.manual_seed(seed)
    layers = [nn.Linear(256, 256), nn.ReLU()]
    for _ in range(8):
        layers += [nn.Linear(256, 256), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(256, 10))


def convolutional_network(seed: int) -> nn.Module:
    """float32 (batch, 256), which it reads as pictures of 16 x 16, -> logits (batch, 10)."""
    torch.manual_seed(seed)
    layers, channels = [nn.Unflatten(1, (1, 16, 16))], 1
    for _ in range(4):
        layers += [nn.Conv2d(channels, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU()]
        channels = 32
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))


def small_network(seed: int) -> nn.Module:
    """float32 (batch, 256) -> logits (batch, 10)."""
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 10))


def batches(
    seed: int, count: int, size: int, device: torch.device
) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The same batches in every rank: float32 (size, 256) and int64 (size,), on `device`."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, size, 256, generator=generator).to(device)
    return [(batch, batch[:, :10].argmax(1)) for batch in x]
