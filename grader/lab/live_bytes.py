"""The memory curve of a piece of code: how many bytes of tensors are alive after every operation.

with LiveBytes(model.parameters()) as live:
    train_step(...)
plt.plot(live.curve)
"""

import weakref
from collections.abc import Iterable

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class LiveBytes(TorchDispatchMode):
    """`curve`: bytes alive after every operation, in order.

    A tensor's memory counts from the operation that returns it, or from the start if it is among
    `present`, until nothing holds on to it any more. Tensors that share memory count once.
    """

    def __init__(self, present: Iterable[torch.Tensor] = ()):
        super().__init__()
        self.curve: list[int] = []
        self._sizes: dict[int, int] = {}  # address -> bytes
        for tensor in present:
            self._note(tensor)

    def _note(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        address = storage.data_ptr()
        if address not in self._sizes:
            self._sizes[address] = storage.nbytes()
            weakref.finalize(storage, self._sizes.pop, address).atexit = False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for value in tree_leaves(result):
            if isinstance(value, torch.Tensor):
                self._note(value)
        self.curve.append(sum(self._sizes.values()))
        return result
