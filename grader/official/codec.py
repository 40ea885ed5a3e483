"""Answers as JSON, between processes that do not trust each other: nothing is unpickled.

Lists stand for sequences; everything else that JSON lacks is an object with one key that says what
it is. Modules become their state, dataclasses their fields, tuples lists.
"""

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import torch

MOST_BYTES = 256 * 2**20  # of one tensor
_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
        *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
    )
}
_KINDS = "fiub"  # of NumPy arrays: float, int, uint, bool


def plain(value: Any) -> Any:
    """`value` as it comes out of the codec at the other side."""
    return decode(encode(value))


def encode(value: Any) -> Any:
    """Raises TypeError for what no answer may hold."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, torch.Tensor):
        return _encoded_tensor(value)
    if isinstance(value, np.ndarray | np.generic):
        return _encoded_array(np.asarray(value))
    if isinstance(value, int | float):
        return value
    if isinstance(value, torch.dtype | torch.device):
        return str(value)
    if isinstance(value, torch.nn.Module):
        return encode(value.state_dict())
    if isinstance(value, Mapping):
        return {"mapping": [[encode(key), encode(item)] for key, item in value.items()]}
    if is_dataclass(value) and not isinstance(value, type):
        pairs = [[f.name, encode(getattr(value, f.name))] for f in fields(value)]
        return {"mapping": [["class", type(value).__name__], *pairs]}
    if isinstance(value, Sequence):
        return [encode(item) for item in value]
    raise TypeError(f"an answer cannot hold a {type(value).__name__}")


def decode(value: Any) -> Any:
    """Raises ValueError for anything that `encode` does not make."""
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if isinstance(value, list):
        return [decode(item) for item in value]
    match value:
        case {"mapping": list(pairs)}:
            return dict(_decoded_pair(pair) for pair in pairs)
        case {"tensor": str(dtype), "shape": list(shape), "data": str(data)}:
            return _decoded_tensor(dtype, shape, data)
        case {"array": str(dtype), "shape": list(shape), "data": str(data)}:
            return _decoded_array(dtype, shape, data)
    raise ValueError("malformed answer")


def _encoded_tensor(tensor: torch.Tensor) -> dict[str, Any]:
    # Of a subclass the data that it holds, whatever its methods say.
    with torch._C.DisableTorchFunctionSubclass():
        tensor = tensor.detach().to_dense() if tensor.layout != torch.strided else tensor.detach()
        tensor = tensor.cpu().contiguous()
        data = tensor.reshape(-1).view(torch.uint8).numpy().tobytes()
        dtype, shape = str(tensor.dtype).removeprefix("torch."), list(tensor.shape)
    return {"tensor": dtype, "shape": shape, "data": base64.b64encode(data).decode()}


def _encoded_array(array: np.ndarray) -> dict[str, Any]:
    if array.dtype.kind not in _KINDS:
        raise TypeError(f"an answer cannot hold an array of {array.dtype}")
    data = base64.b64encode(array.tobytes()).decode()
    return {"array": array.dtype.str, "shape": list(array.shape), "data": data}


def _decoded_pair(pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise ValueError("malformed answer")
    key = decode(pair[0])
    return (tuple(key) if isinstance(key, list) else key), decode(pair[1])


def _decoded_tensor(dtype: str, shape: list, data: str) -> torch.Tensor:
    if dtype not in _DTYPES:
        raise ValueError(f"malformed answer: no tensor of {dtype:.20}")
    content = _content(shape, _DTYPES[dtype].itemsize, data)
    if not content:
        return torch.empty(shape, dtype=_DTYPES[dtype])
    return torch.frombuffer(content, dtype=torch.uint8).view(_DTYPES[dtype]).reshape(shape)


def _decoded_array(dtype: str, shape: list, data: str) -> np.ndarray:
    try:
        kind = np.dtype(dtype)
    except TypeError as error:
        raise ValueError(f"malformed answer: no array of {dtype:.20}") from error
    if kind.kind not in _KINDS:
        raise ValueError(f"malformed answer: no array of {dtype:.20}")
    return np.frombuffer(_content(shape, kind.itemsize, data), kind).reshape(shape)


def _content(shape: list, itemsize: int, data: str) -> bytearray:
    if not all(type(size) is int and 0 <= size < 2**40 for size in shape) or len(shape) > 16:
        raise ValueError("malformed answer: no such shape")
    expected = math.prod(shape) * itemsize
    if expected > MOST_BYTES:
        raise ValueError(f"an answer of more than {MOST_BYTES >> 20} MiB")
    content = bytearray(base64.b64decode(data, validate=True))
    if len(content) != expected:
        raise ValueError("malformed answer: another number of bytes than its shape says")
    return content
