"""Is it the same answer? Nested results compared within a tolerance."""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from numbers import Number

import numpy as np
import torch


@dataclass(frozen=True)
class Difference:
    """The first difference found: where, and what is wrong in words for a person."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


def difference(expected, actual, tolerance: float, where: str = "") -> Difference | None:
    """The first difference between two results, or None.

    Tensors, arrays, numbers, strings and None, nested in sequences, mappings, dataclasses and
    modules (their parameters and buffers). A number equals a tensor of one element. Floating-point
    values agree where |actual - expected| <= tolerance * the largest |expected| of that tensor
    (at least 1e-6); a tensor of another dtype or shape never does. Values that are not finite agree
    only with the same value.
    """
    if isinstance(expected, torch.nn.Module) and isinstance(actual, torch.nn.Module):
        expected, actual = expected.state_dict(), actual.state_dict()
    if actual is None and expected is not None:
        return Difference(where, f"nothing was returned (None), expected {_kind(expected)}")
    if _is_numeric(expected) and _is_numeric(actual):
        return _numeric_difference(expected, actual, tolerance, where)
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        if expected.keys() != actual.keys():
            return Difference(where, f"has {_names(actual)}, expected {_names(expected)}")
        pairs = [(f"{where}[{key!r}]", expected[key], actual[key]) for key in expected]
        return _first(pairs, tolerance)
    if _is_sequence(expected) and _is_sequence(actual):
        if len(expected) != len(actual):
            return Difference(where, f"has {len(actual)} items, expected {len(expected)}")
        pairs = zip(expected, actual, strict=True)
        return _first([(f"{where}[{i}]", *pair) for i, pair in enumerate(pairs)], tolerance)
    if is_dataclass(expected) and type(expected) is type(actual):
        names = [field.name for field in fields(expected)]
        pairs = [(f"{where}.{n}", getattr(expected, n), getattr(actual, n)) for n in names]
        return _first(pairs, tolerance)
    if type(expected) is not type(actual):
        return Difference(where, f"is {_kind(actual)}, expected {_kind(expected)}")
    if expected != actual:
        return Difference(where, f"is {actual!r}, expected {expected!r}")
    return None


def own_container(value) -> type | None:
    """The first class in a result that decides by itself what it holds when somebody looks.

    What such a container or tensor computes then was neither counted nor timed. None: there is
    none.
    """
    if isinstance(value, torch.Tensor):
        return None if type(value) in _TENSORS else type(value)
    for base, reads in _CONTAINERS.items():
        if isinstance(value, base):
            if type(value) not in _KNOWN and any(
                getattr(type(value), name) is not getattr(base, name) for name in reads
            ):
                return type(value)
            parts = value.values() if base is dict else value
            return next(filter(None, map(own_container, parts)), None)
    known = isinstance(value, torch.nn.Module) or not isinstance(value, Mapping | Sequence)
    return None if known or isinstance(value, str | bytes | range) else type(value)


_TENSORS = (torch.Tensor, torch.nn.Parameter)
_KNOWN = (dict, OrderedDict, defaultdict, Counter, list, tuple)
_CONTAINERS = {
    dict: ("__getitem__", "__iter__", "__len__", "items", "keys", "values", "__getattribute__"),
    list: ("__getitem__", "__iter__", "__len__", "__getattribute__"),
    tuple: ("__getitem__", "__iter__", "__len__", "__getattribute__"),
}


def _first(pairs: list[tuple], tolerance: float) -> Difference | None:
    for where, expected, actual in pairs:
        found = difference(expected, actual, tolerance, where)
        if found:
            return found
    return None


def _is_numeric(value) -> bool:
    return isinstance(value, torch.Tensor | np.ndarray | np.generic | Number)


def _is_sequence(value) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _as_tensor(value) -> torch.Tensor:
    return value.detach().cpu() if isinstance(value, torch.Tensor) else torch.as_tensor(value)


def _numeric_difference(expected, actual, tolerance: float, where: str) -> Difference | None:
    scalar = isinstance(expected, Number) or isinstance(actual, Number)
    expected, actual = _as_tensor(expected), _as_tensor(actual)
    if scalar and expected.numel() == actual.numel() == 1:
        expected, actual = expected.reshape(()), actual.reshape(())
    elif expected.dtype != actual.dtype:
        return Difference(where, f"has dtype {_short(actual)}, expected {_short(expected)}")
    if expected.shape != actual.shape:
        return Difference(where, f"has shape {tuple(actual.shape)}, not {tuple(expected.shape)}")
    if expected.numel() == 0:
        return None
    expected, actual = expected.double(), actual.double()
    finite = expected.isfinite()
    if not torch.equal(finite, actual.isfinite()):
        return Difference(where, "is not finite (nan or inf) where a number is expected")
    if not torch.equal(expected[~finite].nan_to_num(), actual[~finite].nan_to_num()):
        return Difference(where, "is infinite or nan in another way than expected")
    if not finite.any():
        return None
    scale = max(expected[finite].abs().max().item(), 1e-6)
    error = (actual[finite] - expected[finite]).abs().max().item() / scale
    if error <= tolerance:
        return None
    if expected.numel() == 1:
        return Difference(where, f"is {actual.item():.6g}, expected {expected.item():.6g}")
    return Difference(
        where, f"differs by {error:.1e} of its largest value (up to {tolerance:.0e} is allowed)"
    )


def _short(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _names(mapping: Mapping) -> str:
    return "the keys " + ", ".join(map(repr, mapping))


def _kind(value) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor {tuple(value.shape)}"
    name = type(value).__name__
    return ("an " if name[0] in "aeiouAEIOU" else "a ") + name


def state_of(arguments: Sequence, names: Sequence[str]) -> dict[str, torch.Tensor | np.ndarray]:
    """Copies of the tensors and arrays that the arguments of a call hold, by a readable name.

    Modules give their parameters and buffers; lists, tuples and dicts are searched; anything else
    (an optimizer, a data set, a generator) is left out.
    """
    found: dict[str, torch.Tensor | np.ndarray] = {}
    for name, argument in zip(names, arguments, strict=False):
        for path, value in _leaves(argument, name):
            if isinstance(value, torch.Tensor):
                found[path] = value.detach().clone()
            else:
                found[path] = value.copy()
    return found


def _leaves(value, path: str) -> Iterator[tuple[str, torch.Tensor | np.ndarray]]:
    if isinstance(value, torch.Tensor | np.ndarray):
        yield path, value
    elif isinstance(value, torch.nn.Module):
        for name, tensor in value.state_dict().items():
            yield f"{path}.{name}", tensor
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{path}[{key!r}]")
    elif _is_sequence(value):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
