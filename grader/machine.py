"""The machine that code runs on: device, class, description, synchronisation, global state."""

import contextlib
import random
from collections.abc import Iterator

import numpy as np
import torch

from grader.host import cores, processor

_ARCHITECTURES = {7: "volta", 8: "ampere", 9: "hopper", 10: "blackwell", 12: "blackwell"}


def pick_device(name: str = "auto") -> torch.device:
    """`"auto"`: the accelerator where there is one, else the CPU. Any other name is taken as is.

    Raises RuntimeError if an accelerator is asked for by name and is not there.
    """
    if name == "auto":
        if torch.accelerator.is_available():
            return torch.device(torch.accelerator.current_accelerator().type)
        return torch.device("cpu")
    device = torch.device(name)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(
            "device 'cuda' was asked for, and this machine has none that PyTorch can use: "
            "set device = 'auto' in the parameters cell, or run `python -m grader doctor`"
        )
    return device


def device_class(device: torch.device | str) -> str:
    """The class of machines whose records are comparable: `cpu`, `cuda-turing`, `cuda-ampere`, …"""
    device = torch.device(device)
    if device.type != "cuda":
        return device.type
    major, minor = torch.cuda.get_device_capability(device)
    if (major, minor) == (7, 5):
        return "cuda-turing"
    if (major, minor) == (8, 9):
        return "cuda-ada"
    return "cuda-" + _ARCHITECTURES.get(major, f"sm{major}{minor}")


def describe(device: torch.device | str) -> str:
    """One line for a person: which device, how many cores, which PyTorch."""
    device = torch.device(device)
    if device.type == "cuda":
        memory = torch.cuda.get_device_properties(device).total_memory / 2**30
        major, minor = torch.cuda.get_device_capability(device)
        model = torch.cuda.get_device_name(device)
        name = f"{model} ({memory:.0f} GiB, capability {major}.{minor})"
    else:
        name = f"{device.type} ({processor()})"
    return f"{name}, {cores()} cores, torch {torch.__version__}"


def synchronize(device: torch.device | str) -> None:
    """Wait until every kernel on `device` has finished; nothing on a CPU."""
    if torch.device(device).type != "cpu":
        torch.accelerator.synchronize(device)


def seed_everything(seed: int) -> None:
    """Seed the global generators of Python, NumPy and PyTorch (all devices)."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


@contextlib.contextmanager
def threads(count: int) -> Iterator[None]:
    """PyTorch uses `count` threads inside the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def generators() -> dict[str, object]:
    """The states of the global generators, for `restore_generators` and `differing_generators`."""
    return {
        "random": random.getstate(),
        "numpy.random": np.random.get_state(),
        "torch": torch.get_rng_state(),
        "torch.cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else [],
    }


def restore_generators(states: dict) -> None:
    random.setstate(states["random"])
    np.random.set_state(states["numpy.random"])
    torch.set_rng_state(states["torch"])
    if states["torch.cuda"]:
        torch.cuda.set_rng_state_all(states["torch.cuda"])


def differing_generators(left: dict, right: dict) -> set[str]:
    """The names of the generators that are in another state."""
    same = {
        "random": left["random"] == right["random"],
        "numpy.random": all(map(np.array_equal, left["numpy.random"], right["numpy.random"])),
        "torch": torch.equal(left["torch"], right["torch"]),
        "torch.cuda": all(map(torch.equal, left["torch.cuda"], right["torch.cuda"])),
    }
    return {name for name, equal in same.items() if not equal}


# name for a person -> (read, write): what a function must leave as it found it
_GLOBALS = {
    "grad mode": (torch.is_grad_enabled, torch.set_grad_enabled),
    "default dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "default device": (torch.get_default_device, torch.set_default_device),
    "number of threads": (torch.get_num_threads, torch.set_num_threads),
    "deterministic algorithms": (
        torch.are_deterministic_algorithms_enabled,
        torch.use_deterministic_algorithms,
    ),
    "anomaly detection": (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    "float32 matmul precision": (
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
    ),
    "cudnn.benchmark": (
        lambda: torch.backends.cudnn.benchmark,
        lambda value: setattr(torch.backends.cudnn, "benchmark", value),
    ),
    "cudnn.deterministic": (
        lambda: torch.backends.cudnn.deterministic,
        lambda value: setattr(torch.backends.cudnn, "deterministic", value),
    ),
}


def global_state() -> dict[str, object]:
    """PyTorch's global switches, by a name for a person."""
    return {name: read() for name, (read, _) in _GLOBALS.items()}


def restore_global_state(state: dict[str, object]) -> dict[str, tuple[object, object]]:
    """Put the switches back; returns those that had changed as name -> (before, found)."""
    changed = {
        name: (state[name], found) for name, found in global_state().items() if found != state[name]
    }
    for name, (before, _) in changed.items():
        _GLOBALS[name][1](before)
    return changed
