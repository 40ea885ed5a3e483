"""Helpers of the exercise's training script, grown over the years.

`ran` counts what ran, for the exercise to read; helpers in the wild tell nobody.
"""

import functools
from collections import Counter
from collections.abc import Callable

import torch
from torch import nn

TOOLS = (
    "steps under anomaly detection",
    "steps under a profiler",
    "gradient checks",
    "gradient reports",
    "activation reports",
    "input comparisons",
)
ran: Counter[str] = Counter()  # of TOOLS, and of "forward passes"


def note_forward_pass() -> None:
    """Count a forward pass, and the debugging modes of PyTorch under which it runs."""
    ran["forward passes"] += 1
    ran["steps under anomaly detection"] += torch.is_anomaly_enabled()
    ran["steps under a profiler"] += torch.autograd._profiler_enabled()


def check_gradient(function: Callable) -> None:
    """Compare the gradient of a scalar function, applied to each element, with differences.

    Raises torch.autograd.gradcheck.GradcheckError where they do not agree.
    """
    ran["gradient checks"] += 1
    x = torch.tensor([-1.5, 0.5], dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(function, (x,), fast_mode=True)


def gradient_report(model: nn.Module) -> dict[str, tuple[float, float]]:
    """Mean and largest size of the gradient of every parameter, by name."""
    ran["gradient reports"] += 1
    return {
        name: (parameter.grad.mean().item(), parameter.grad.abs().max().item())
        for name, parameter in model.named_parameters()
    }


def prepare(model: nn.Module, log: list) -> list:
    """Get a model ready: append mean and standard deviation of every layer's output to `log`.

    Returns the handles of its hooks, for `finish`.
    """

    def report(module, inputs, output):
        ran["activation reports"] += 1
        log.append((output.mean().item(), output.std().item()))

    return [module.register_forward_hook(report) for module in model.children()]


def finish(handles: list) -> None:
    """Remove the hooks that `prepare` has put on a model."""
    for handle in handles:
        handle.remove()


def robust(function: Callable) -> Callable:
    """Decorate a function so that it fails if it writes into a tensor that it was given.

    Raises RuntimeError after such a call.
    """

    @functools.wraps(function)
    def wrapper(*arguments):
        ran["input comparisons"] += 1
        tensors = [argument for argument in arguments if isinstance(argument, torch.Tensor)]
        copies = [tensor.clone() for tensor in tensors]
        result = function(*arguments)
        for tensor, copy in zip(tensors, copies, strict=True):
            if torch.allclose(tensor, copy, rtol=0, atol=0, equal_nan=True):
                continue
            raise RuntimeError(f"{function.__name__} has changed a tensor that it was given")
        return result

    return wrapper
