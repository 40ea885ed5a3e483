"""Counts what a piece of PyTorch code does, without a clock.

    audit = StepAudit(model, optimizer, device="cpu")
    with audit:
        train_step(...)
    audit.counts["host reads"], audit.report()

Three hooks see the code: a `TorchDispatchMode` every aten call, a `TorchFunctionMode` every call
from Python (on a CPU `t.tolist()` makes no aten call), `saved_tensors_hooks` what autograd keeps.
"""

import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, is_dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from grader.machine import pick_device

aten = torch.ops.aten
_COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd

# Aten calls that launch no kernel: allocations and metadata. Views are told by their schema.
_FREE = {
    aten.empty,
    aten.empty_like,
    aten.empty_permuted,
    aten.empty_strided,
    aten.new_empty,
    aten.new_empty_strided,
    aten.lift_fresh,
    aten.set_,
    aten.resize_,
    aten.record_stream,
    aten._pin_memory,
    aten.is_pinned,
    aten._local_scalar_dense,
}
# Views whose schema does not say so.
_UNMARKED_VIEWS = {
    aten._unsafe_view,
    aten.unsafe_split,
    aten.unsafe_split_with_sizes,
    aten.unsafe_chunk,
}
# Aten calls that the host must wait for, because a shape, a Python value or an error depends on
# the result. The second group does so for some arguments only, see `_read_at_dispatch`.
_READS = {
    aten._local_scalar_dense: "item",
    aten.equal: "equal",
    aten.allclose: "allclose",
    aten.nonzero: "nonzero",
    aten.masked_select: "masked_select",
    aten._unique2: "unique",
    aten.unique_dim: "unique",
    aten.unique_consecutive: "unique",
    aten.bincount: "bincount",
    aten._linalg_check_errors: "linalg check",
}
_PERHAPS_READS = {
    aten.index,
    aten.index_put,
    aten.index_put_,
    aten._index_put_impl_,
    aten.repeat_interleave,
}
_COPIES = {aten._to_copy, aten.copy_}
_ZEROS = {aten.zero_, aten.zeros, aten.zeros_like, aten.new_zeros, aten._foreach_zero_}
_FILLS = {aten.fill_, aten.fill}
# Attention on a CPU has kernels of its own, which PyTorch's registry leaves out.
_FLOPS = {
    **flop_registry,
    aten._scaled_dot_product_flash_attention_for_cpu: flop_registry[
        aten._scaled_dot_product_flash_attention
    ],
    aten._scaled_dot_product_flash_attention_for_cpu_backward: flop_registry[
        aten._scaled_dot_product_flash_attention_backward
    ],
}
# What an optimizer that is neither fused nor capturable keeps on the host, as scalar tensors.
_HOST_STATE = {"step", "mu_product"}
_LOW_PRECISION = ("float16", "bfloat16")


@dataclass(frozen=True)
class Copy:
    """One copy between host and device.

    kind: "upload" (to the device) or "download" (from it). nbytes: size of the source in bytes.
    non_blocking: as the call asked. pinned: whether the memory on the host is page-locked.
    """

    kind: str
    nbytes: int
    non_blocking: bool
    pinned: bool


class _OpFacts:
    """What never changes about an aten op, looked up once."""

    __slots__ = ("name", "work", "fresh", "composite", "read", "perhaps_reads", "copies")
    __slots__ += ("zeros", "fills", "flops")

    def __init__(self, func: torch._ops.OpOverload):
        packet = func.overloadpacket
        returns = func._schema.returns
        alias = returns[0].alias_info if returns else None
        view = packet in _UNMARKED_VIEWS or (alias is not None and not alias.is_write)
        metadata = packet in _FREE or torch.Tag.inplace_view in func.tags
        self.name = str(packet).removeprefix("aten.")
        # `prim` holds questions about metadata, `profiler` marks.
        self.work = func.namespace not in ("prim", "profiler") and not (view or metadata)
        self.fresh = (alias is None and not view) or packet is aten.set_
        # In inference mode composite ops arrive whole. Their Python decompositions, which
        # `func.decompose` prefers, are for compilers and run other ops than the C++ ones.
        self.composite = torch._C._dispatch_has_kernel_for_dispatch_key(
            func.name(), _COMPOSITE.name
        )
        self.read = _READS.get(packet)
        self.perhaps_reads = packet in _PERHAPS_READS
        self.copies = packet in _COPIES
        self.zeros = packet in _ZEROS
        self.fills = packet in _FILLS
        self.flops = _FLOPS.get(packet)


_FACTS: dict[Any, _OpFacts] = {}


def _facts(func) -> _OpFacts:
    facts = _FACTS.get(func)
    if facts is None:
        facts = _FACTS[func] = _OpFacts(func)
    return facts


class _Storage(weakref.ref):
    """A storage that was seen, for as long as it lives."""

    __slots__ = ("key", "nbytes", "resident", "host", "exists_anyway", "saved")


def _gather(values: Iterable, found: list[Tensor]) -> list[Tensor]:
    """The tensors among the arguments or results of an aten call: at most lists of them."""
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            _gather(value, found)
    return found


def _storage_key(tensor: Tensor) -> int | None:
    """Which storage a tensor lies in; None for one without, such as a sparse tensor."""
    return tensor.untyped_storage()._cdata if torch._C._has_storage(tensor) else None


def _nbytes(tensor: Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def _read_at_dispatch(facts: _OpFacts, args, kwargs) -> str | None:
    """How this aten call makes the host wait, or None."""
    if facts.read:
        return facts.read
    if facts.name == "repeat_interleave":
        return "repeat_interleave" if kwargs.get("output_size") is None else None
    if not any(
        isinstance(index, Tensor) and index.dtype in (torch.bool, torch.uint8) for index in args[1]
    ):
        return None
    if facts.name != "index":
        # `t[mask] = number` becomes masked_fill_, which needs no shape.
        value = args[2]
        if value.numel() == 1 and value.device.type == "cpu":
            return None
    return "boolean mask"


class _AtenCalls(TorchDispatchMode):
    def __init__(self, audit: "StepAudit"):
        super().__init__()
        self._audit = audit

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        facts = _facts(func)
        if facts.composite:
            with self:
                return func._op_dk(_COMPOSITE, *args, **kwargs)
        return self._audit._aten_call(func, facts, args, kwargs)


class _PythonCalls(TorchFunctionMode):
    def __init__(self, audit: "StepAudit"):
        super().__init__()
        self._audit = audit

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        handler = _PYTHON_CALLS.get(func)
        if handler is not None:
            return handler(self._audit, func, args, kwargs)
        result = func(*args, **kwargs)
        if "device" in kwargs:
            self._audit._created(result, kwargs["device"])
        return result


class StepAudit:
    """Counts one block of code; see `counts` for the meaning of every number.

    tracked: what exists before the block: modules, optimizers, gradient scalers, tensors, and
    (nested) lists, tuples, sets, dicts and dataclasses of them. Anything else, such as a number
    or a loader, is passed over, so that a task's arguments can be given as they are. Modules,
    optimizers and scalers are taken to be on the device, with the tensors computed from them; of
    bare tensors nothing is assumed.
    device: the device type that is counted. "cuda" counts a real GPU. "meta" counts a dry run of
    a model of any size (nothing there has a value, so reading one fails as it does in PyTorch).
    "cpu" lets the CPU play the accelerator: one memory, no border. There

    - every computing call counts as a launch, the host's own work (a loader's, for instance)
      included, but for work on downloaded copies and on the optimizer's step counters;
    - an upload is `x.to(device)` with a `torch.device`, of a tensor not known to be on the
      device. It returns a copy, as on a GPU. The same host tensor uploaded twice counts twice;
    - a download is `.cpu()` or `.to("cpu")` with the literal string. It returns a copy that is
      known to be on the host, so that reading it again, or what follows from it, costs nothing.
      `tolist`, `numpy` and `np.asarray` of what is not on the host are downloads too;
    - reads that `torch.utils.data` makes for itself (seeds, permutations) are the host's.

    Raises RuntimeError if the device is not there, and on entry if the object has counted already:
    an audit counts one block.
    An exception inside the block ends the counting and passes through.
    PyTorch allows no saved-tensor hooks, hence no audit, around `torch.func.grad` and its like;
    compiled functions run uncompiled in the block.

    `ops`: aten name -> launches. `reads`: how -> host reads. `flops`: dtype name -> floating-point
    operations. `copies`: every `Copy`, in order.
    """

    def __init__(self, *tracked: Any, device: str | torch.device = "cpu"):
        self.device = pick_device(str(device))
        self.ops: Counter[str] = Counter()
        self.reads: Counter[str] = Counter()
        self.flops: Counter[str] = Counter()
        self.copies: list[Copy] = []
        self._tracked = tracked
        self._type = self.device.type
        self._plays = self._type == "cpu"
        self._live_bytes = self._peak_bytes = 0
        self._saved_bytes = self._saved_tensors = 0
        self._zero_fills = 0
        self._storages: dict[int, _Storage] = {}
        self._host_storages: set[int] = set()
        self._optimizers: list[torch.optim.Optimizer] = []
        self._steps: dict[int, Tensor] = {}
        self._states = -1
        # Set while a call from Python, already counted, runs: its internals are part of it.
        self._read_counted = False
        self._uncounted = False
        self._used = False
        self._hooks = ExitStack()

    # ---- answers ---------------------------------------------------------------------------

    @property
    def counts(self) -> dict[str, float]:
        """The gradeable numbers by name.

        - "launches": computing aten calls on the device (views, allocations and metadata are
          none): a floor for the kernels of a GPU, since one call may launch several.
        - "host reads": how often the host must wait for a value that it asked for.
        - "syncs": host reads; beside them, where host and device differ, blocking uploads.
        - "uploads", "bytes uploaded", "downloads", "bytes downloaded": copies between host and
          device; bytes as the source has them, before a conversion.
        - "blocking uploads": not `non_blocking`, or on CUDA from memory that is not pinned.
        - "peak bytes": the highest sum, at any moment of the block, of the bytes of the storages
          that are alive on the device, minus that sum over what was tracked at entry (parameters,
          their gradients, buffers, optimizer state, tensors). A storage counts from the call that
          returns it until it is collected; whole storages, without the allocator's rounding,
          kernels' own workspace, untracked tensors that existed before, host copies and the
          optimizer's step counters on the host. Never below 0.
        - "saved bytes", "saved tensors": distinct storages that autograd keeps for a backward
          pass, summed over the block; what was tracked at entry left out. Under saved-tensor hooks
          of the code itself, what these keep instead, before backward begins: nothing for what a
          checkpoint will compute again.
        - "zero fills": tensors filled with zeros (zero_, zeros, zeros_like, new_zeros, fill with
          0, every tensor of _foreach_zero_).
        - "flops": floating-point operations of matrix products, convolutions and attention, by
          PyTorch's registry.
        - "low-precision share": share of these whose result is float16 or bfloat16; 0 without any.
        """
        uploads = [copy for copy in self.copies if copy.kind == "upload"]
        downloads = [copy for copy in self.copies if copy.kind == "download"]
        blocking = sum(
            not copy.non_blocking or (self._type == "cuda" and not copy.pinned) for copy in uploads
        )
        reads = self.reads.total()
        flops = self.flops.total()
        low = sum(self.flops[dtype] for dtype in _LOW_PRECISION)
        return {
            "launches": self.ops.total(),
            "host reads": reads,
            "syncs": reads if self._plays else reads + blocking,
            "uploads": len(uploads),
            "bytes uploaded": sum(copy.nbytes for copy in uploads),
            "blocking uploads": blocking,
            "downloads": len(downloads),
            "bytes downloaded": sum(copy.nbytes for copy in downloads),
            "peak bytes": self._peak_bytes,
            "saved bytes": self._saved_bytes,
            "saved tensors": self._saved_tensors,
            "zero fills": self._zero_fills,
            "flops": flops,
            "low-precision share": low / flops if flops else 0.0,
        }

    def report(self) -> str:
        """The counts as a short text, with the most frequent ops and reads."""
        lines = [f"counted on {self._type}"]
        for name, value in self.counts.items():
            text = f"{value:.0%}" if name == "low-precision share" else f"{value:,}"
            lines.append(f"{name:<20}{text:>18}")
        for title, counter in (("ops", self.ops), ("reads", self.reads)):
            if counter:
                most = ", ".join(f"{name} {count}" for name, count in counter.most_common(8))
                lines.append(f"{title}: {most}")
        return "\n".join(lines)

    # ---- the block -------------------------------------------------------------------------

    def __enter__(self) -> "StepAudit":
        if self._used:
            raise RuntimeError(
                "this StepAudit has counted already: make a new StepAudit(...) for every block"
            )
        self._used = True
        for thing in self._tracked:
            self._track(thing)
        self._live_bytes = self._peak_bytes = 0
        with ExitStack() as hooks:
            hooks.enter_context(saved_tensors_hooks(self._save, lambda tensor: tensor))
            hooks.enter_context(self._hooks_of_the_code_seen())
            hooks.enter_context(_PythonCalls(self))
            hooks.enter_context(_AtenCalls(self))
            self._hooks = hooks.pop_all()
        return self

    def __exit__(self, *error) -> None:
        try:
            self._hooks.__exit__(*error)
        finally:
            # Keep nothing alive of what was tracked.
            self._steps.clear()
            self._optimizers.clear()
            self._tracked = ()

    @contextmanager
    def _without(self, flag: str):
        """Sets `_read_counted` or `_uncounted` for a while."""
        before = getattr(self, flag)
        setattr(self, flag, True)
        try:
            yield
        finally:
            setattr(self, flag, before)

    # ---- what is tracked -------------------------------------------------------------------

    def _track(self, thing: Any) -> None:
        if isinstance(thing, Tensor):
            self._track_tensor(thing, resident=False)
        elif isinstance(thing, torch.nn.Module):
            for tensor in (*thing.parameters(), *thing.buffers()):
                self._track_tensor(tensor, resident=True)
                if tensor.grad is not None:
                    self._track_tensor(tensor.grad, resident=True)
        elif isinstance(thing, torch.optim.Optimizer):
            self._optimizers.append(thing)
            for tensor in _gather([list(state.values()) for state in thing.state.values()], []):
                if not self._is_step(tensor):
                    self._track_tensor(tensor, resident=True)
        elif isinstance(thing, torch.amp.GradScaler):
            for tensor in _gather(vars(thing).values(), []):
                self._track_tensor(tensor, resident=True)
        elif isinstance(thing, dict):
            self._track(list(thing.values()))
        elif isinstance(thing, (list, tuple, set)):
            for part in thing:
                self._track(part)
        elif is_dataclass(thing) and not isinstance(thing, type):
            self._track(list(vars(thing).values()))

    def _track_tensor(self, tensor: Tensor, resident: bool) -> None:
        if tensor.device.type == self._type:
            record = self._record(tensor)
            if record is not None:
                record.resident |= resident
                record.exists_anyway = True

    def _is_step(self, tensor: Tensor) -> bool:
        """Whether this is a counter that a tracked optimizer keeps on the host."""
        if tensor.dim():
            return False
        states = sum(len(optimizer.state) for optimizer in self._optimizers)
        if states != self._states:
            self._states = states
            for optimizer in self._optimizers:
                for group in optimizer.param_groups:
                    if not (group.get("fused") or group.get("capturable")):
                        for parameter in group["params"]:
                            state = optimizer.state.get(parameter, {})
                            for name in _HOST_STATE & state.keys():
                                self._steps[id(state[name])] = state[name]
        return self._steps.get(id(tensor)) is tensor

    # ---- storages --------------------------------------------------------------------------

    def _known(self, tensor: Tensor) -> _Storage | None:
        return self._storages.get(_storage_key(tensor))

    def _record(self, tensor: Tensor, counted: bool = True) -> _Storage | None:
        """The record of a tensor's storage, made if there is none: its bytes live from now on.

        counted=False: it takes no memory of the device, or did so before. None: no storage.
        """
        if not torch._C._has_storage(tensor):
            return None
        storage = tensor.untyped_storage()
        key = storage._cdata
        record = self._storages.get(key)
        if record is None:
            record = self._storages[key] = _Storage(storage, self._collected)
            record.key = key
            record.nbytes = storage.nbytes() if counted else 0
            record.resident = record.host = record.exists_anyway = record.saved = False
            self._live_bytes += record.nbytes
            if self._live_bytes > self._peak_bytes:
                self._peak_bytes = self._live_bytes
        return record

    def _collected(self, record: _Storage) -> None:
        if self._storages.pop(record.key, None) is not None:
            self._live_bytes -= record.nbytes
            self._host_storages.discard(record.key)

    def _mark_resident(self, tensor: Tensor, counted: bool = True) -> None:
        record = self._record(tensor, counted)
        if record is not None:
            record.resident, record.host = True, False
            self._host_storages.discard(record.key)

    def _mark_host(self, tensor: Tensor) -> None:
        record = self._record(tensor, counted=False)
        if record is not None:
            record.resident, record.host = False, True
            self._host_storages.add(record.key)

    def _is_resident(self, tensor: Tensor) -> bool:
        if not self._plays:
            return tensor.device.type == self._type
        record = self._known(tensor)
        return record is not None and record.resident

    def _is_host(self, tensor: Tensor) -> bool:
        """Whether a tensor is known to be on the host."""
        if tensor.device.type != self._type:
            return True
        if not self._plays:
            return False
        record = self._known(tensor)
        return (record is not None and record.host) or self._is_step(tensor)

    def _stays_on_host(self, inputs: list[Tensor]) -> bool:
        """Whether an aten call works on host copies alone.

        PyTorch refuses to mix host and device but for host scalars, so one host copy that is no
        scalar says where the others are, unless one of them is known to be on the device.
        """
        records = [(tensor, self._known(tensor)) for tensor in inputs]
        if any(record is not None and record.resident for _, record in records):
            return False
        host = [tensor for tensor, record in records if record is not None and record.host]
        return len(host) == len(inputs) or any(tensor.dim() for tensor in host)

    def _save(self, tensor: Tensor) -> Tensor:
        self._count_saved(tensor)
        # A tensor that its own graph would hold on to through this hook is never freed.
        return tensor.detach()

    @contextmanager
    def _hooks_of_the_code_seen(self):
        """Count what hooks of the code keep: PyTorch asks the innermost ones alone."""
        push = torch._C._autograd._push_saved_tensors_default_hooks

        def push_counted(pack, unpack):
            def pack_counted(tensor):
                kept = pack(tensor)
                if torch._C._current_graph_task_id() == -1:  # not while backward recomputes
                    for part in _gather([kept, *getattr(kept, "__dict__", {}).values()], []):
                        self._count_saved(part)
                return kept

            push(pack_counted, unpack)

        torch._C._autograd._push_saved_tensors_default_hooks = push_counted
        try:
            yield
        finally:
            torch._C._autograd._push_saved_tensors_default_hooks = push

    def _count_saved(self, tensor: Tensor) -> None:
        if tensor.device.type == self._type:
            record = self._record(tensor, counted=False)
            if record is not None and not record.exists_anyway and not record.saved:
                record.saved = True
                self._saved_bytes += tensor.untyped_storage().nbytes()
                self._saved_tensors += 1

    # ---- every aten call -------------------------------------------------------------------

    def _aten_call(self, func, facts: _OpFacts, args, kwargs):
        if self._uncounted:
            return func(*args, **kwargs)
        inputs = _gather(args, [])
        if kwargs:
            _gather(kwargs.values(), inputs)
        first = inputs[0] if inputs else None
        if self._plays and first is not None:
            # Not at allocations: the state that is being filled would be taken for complete.
            if self._optimizers and (facts.work or facts.read) and self._is_step(first):
                return func(*args, **kwargs)
            if self._host_storages and self._stays_on_host(inputs):
                result = func(*args, **kwargs)
                for tensor in _gather((result,), []):
                    self._mark_host(tensor)
                return result
        if (facts.read or facts.perhaps_reads) and first is not None:
            how = _read_at_dispatch(facts, args, kwargs)
            if how is not None:
                self._read(how, first)
        result = func(*args, **kwargs)
        results = _gather((result,), [])
        if facts.copies and not self._plays and self._crosses(args, kwargs, results[0]):
            self._remember(facts, inputs, results)
            return result
        sample = results[0] if results else first
        if facts.work and sample is not None and sample.device.type == self._type:
            self.ops[facts.name] += 1
            if facts.flops is not None:
                dtype = str(results[0].dtype).removeprefix("torch.")
                self.flops[dtype] += facts.flops(*args, **kwargs, out_val=result)
            elif facts.zeros:
                self._zero_fills += len(results) or len(inputs)
            elif facts.fills and not isinstance(args[1], Tensor) and args[1] == 0:
                self._zero_fills += 1
        self._remember(facts, inputs, results)
        return result

    def _remember(self, facts: _OpFacts, inputs: list[Tensor], results: list[Tensor]) -> None:
        """Notes new storages and, on a CPU, that what comes from the device is on the device."""
        if not self._plays:
            if facts.fresh:
                for tensor in results:
                    if tensor.device.type == self._type:
                        self._record(tensor)
        elif facts.fresh or facts.work:
            resident = any(self._is_resident(tensor) for tensor in inputs)
            for tensor in results:
                if tensor.device.type == self._type:
                    if resident:
                        self._mark_resident(tensor, counted=facts.fresh)
                    elif facts.fresh:
                        self._record(tensor)

    def _crosses(self, args, kwargs, destination: Tensor) -> bool:
        """Notes a copy if this `_to_copy` or `copy_` is one between host and device."""
        source = args[0] if destination is not args[0] else args[1]
        if (source.device.type == self._type) == (destination.device.type == self._type):
            return False
        non_blocking = kwargs.get("non_blocking", args[2] if len(args) > 2 else False)
        if destination.device.type == self._type:
            self._copy("upload", source, non_blocking, self._pinned(source))
        else:
            self._copy("download", source, non_blocking, self._pinned(destination))
            if not non_blocking:
                self._read("cpu()", source)
        return True

    def _copy(self, kind: str, source: Tensor, non_blocking: bool, pinned: bool = False) -> None:
        self.copies.append(Copy(kind, _nbytes(source), bool(non_blocking), pinned))

    def _pinned(self, tensor: Tensor) -> bool:
        # Asking wakes the driver, which only under a CUDA audit is awake for certain.
        return self._type == "cuda" and tensor.is_pinned()

    def _read(self, how: str, tensor: Tensor) -> None:
        if self._read_counted or self._is_host(tensor):
            return
        if self._plays and not self._is_resident(tensor) and _inside_data_loading():
            return
        self.reads[how] += 1

    # ---- calls from Python -----------------------------------------------------------------

    def _read_call(self, how: str, copies: bool, func, args, kwargs):
        tensor = args[0]
        if copies and self._plays and not self._is_host(tensor):
            self._copy("download", tensor, non_blocking=False)
        self._read(how, tensor)
        with self._without("_read_counted"):
            return func(*args, **kwargs)

    def _to(self, func, args, kwargs):
        """Tensor.to(device, dtype, non_blocking), (dtype, …) and (other, non_blocking)."""
        place = args[1] if len(args) > 1 else kwargs.get("device", kwargs.get("other"))
        if not self._plays or place is None or isinstance(place, torch.dtype):
            return func(*args, **kwargs)
        position = 2 if isinstance(place, Tensor) else 3
        non_blocking = args[position] if len(args) > position else kwargs.get("non_blocking", False)
        if isinstance(place, Tensor):
            if self._is_host(place):
                return self._download(args[0], func, args, kwargs, non_blocking)
            if not self._is_resident(place):
                return func(*args, **kwargs)
        elif _is_literal_cpu(place):
            return self._download(args[0], func, args, kwargs, non_blocking)
        return self._upload(args[0], func, args, kwargs, non_blocking)

    def _cpu(self, func, args, kwargs):
        if not self._plays:
            return func(*args, **kwargs)
        return self._download(args[0], func, args, kwargs, non_blocking=False)

    def _cuda(self, func, args, kwargs):
        if not self._plays:
            return func(*args, **kwargs)
        non_blocking = args[2] if len(args) > 2 else kwargs.get("non_blocking", False)
        return self._upload(args[0], func, args, kwargs, non_blocking)

    def _upload(self, source, func, args, kwargs, non_blocking):
        if self._is_resident(source):
            return func(*args, **kwargs)
        self._copy("upload", source, non_blocking)
        result = self._moved(source, func, args, kwargs)
        self._mark_resident(result)
        return result

    def _download(self, source, func, args, kwargs, non_blocking):
        if self._is_host(source):
            return func(*args, **kwargs)
        self._copy("download", source, non_blocking)
        if not non_blocking:
            self._read("cpu()", source)
        result = self._moved(source, func, args, kwargs)
        # Nobody has waited for a non-blocking copy yet: whoever reads it does.
        if not non_blocking:
            self._mark_host(result)
        return result

    def _moved(self, source, func, args, kwargs) -> Tensor:
        """Runs the call as if there were a border: the result has a storage of its own."""
        with self._without("_uncounted"):
            result = func(*args, **kwargs)
            if _storage_key(result) == _storage_key(source):
                result = result.clone()
        return result

    def _copy_into(self, func, args, kwargs):
        destination, source = args[0], args[1] if len(args) > 1 else kwargs["src"]
        non_blocking = args[2] if len(args) > 2 else kwargs.get("non_blocking", False)
        if self._plays:
            if self._is_resident(destination) and not self._is_resident(source):
                self._copy("upload", source, non_blocking)
            elif self._is_host(destination) and self._is_resident(source):
                self._copy("download", source, non_blocking)
                if not non_blocking:
                    self._read("cpu()", source)
                    with self._without("_uncounted"):
                        return func(*args, **kwargs)
        return func(*args, **kwargs)

    def _from_data(self, func, args, kwargs):
        """torch.tensor, as_tensor, asarray: each device scalar in the data is read for itself."""
        data = args[0] if args else kwargs.get("data", kwargs.get("obj"))
        if isinstance(data, (list, tuple)):
            for tensor in _gather(data, []):
                self._read("torch.tensor", tensor)
        device = kwargs.get("device")
        to_device = (
            device is not None
            and torch.device(device).type == self._type
            and not (self._plays and _is_literal_cpu(device))
        )
        if isinstance(data, Tensor):
            if to_device and self._plays:
                return self._upload(data, func, args, kwargs, non_blocking=False)
            return func(*args, **kwargs)
        result = func(*args, **kwargs)
        if to_device:
            self._copy("upload", result, non_blocking=False)
            self._mark_resident(result)
        elif func is torch.tensor and result.dim() and result.device.type == self._type:
            # Unlike the others it never borrows the memory of an array. A scalar made without a
            # device is a number of the host, such as an optimizer's step counter.
            self._record(result)
        return result

    def _dlpack(self, func, args, kwargs):
        """On a CPU NumPy takes the values this way, on a GPU nothing crosses."""
        if self._plays:
            self._read("dlpack", args[0])
        return func(*args, **kwargs)

    def _one_hot(self, func, args, kwargs):
        """On a CPU it checks the range too; a GPU reads only how many classes there are."""
        classes = args[1] if len(args) > 1 else kwargs.get("num_classes", -1)
        if classes == -1:
            self._read("one_hot", args[0])
        with self._without("_read_counted"):
            return func(*args, **kwargs)

    def _created(self, result: Any, device: Any) -> None:
        """A factory was told the device: what it made is there, unless the string says "cpu"."""
        if (
            self._plays
            and device is not None
            and isinstance(result, Tensor)
            and result.device.type == self._type
            and not _is_literal_cpu(device)
        ):
            self._mark_resident(result)


def _is_literal_cpu(place: Any) -> bool:
    """On a CPU `torch.device("cpu")` plays the accelerator, and only the string names the host."""
    return isinstance(place, str) and place.startswith("cpu")


def _inside_data_loading() -> bool:
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("torch.utils.data"):
            return True
        frame = frame.f_back
    return False


def _reading(how: str, copies: bool = False) -> Callable:
    """copies: whether the value, on a GPU, would cross as a tensor of its own."""

    def handler(audit: StepAudit, func, args, kwargs):
        return audit._read_call(how, copies, func, args, kwargs)

    return handler


_PYTHON_CALLS: dict[Any, Callable] = {
    Tensor.item: _reading("item"),
    Tensor.tolist: _reading("tolist", copies=True),
    Tensor.numpy: _reading("numpy", copies=True),
    Tensor.__array__: _reading("np.asarray", copies=True),
    Tensor.__dlpack__: StepAudit._dlpack,
    Tensor.__float__: _reading("float()"),
    Tensor.__bool__: _reading("bool()"),
    Tensor.__int__: _reading("int()"),
    Tensor.__index__: _reading("index"),
    Tensor.__complex__: _reading("complex()"),
    Tensor.is_nonzero: _reading("bool()"),
    torch.is_nonzero: _reading("bool()"),
    Tensor.__repr__: _reading("print"),
    Tensor.__format__: _reading("print"),
    Tensor.__contains__: _reading("in"),
    Tensor.to: StepAudit._to,
    Tensor.cpu: StepAudit._cpu,
    Tensor.cuda: StepAudit._cuda,
    Tensor.copy_: StepAudit._copy_into,
    torch.tensor: StepAudit._from_data,
    torch.as_tensor: StepAudit._from_data,
    torch.asarray: StepAudit._from_data,
    torch.nn.functional.one_hot: StepAudit._one_hot,
}
