"""The training of the exercise: its model and data, a record of what was done, and counts of it.

The ranks import this module to record a training; the notebook imports it to count.
"""

import contextlib
import itertools
import zlib
from collections.abc import Callable, Iterator
from numbers import Number
from unittest import mock

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.data import TensorDataset

SAMPLES = 29  # odd: 15 for each rank, one of them twice
HELD_OUT = 101
EPOCHS = 2
ACCUMULATE = 8  # micro-batches for one optimizer step
WIDTH = 128


class Classifier(nn.Module):
    """float32 (batch, WIDTH) -> logits (batch, 10). `projector` is left from a pre-training."""

    def __init__(self) -> None:
        super().__init__()
        layers = [part for _ in range(6) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
        self.trunk = nn.Sequential(*layers)
        self.projector = nn.Linear(WIDTH, 2 * WIDTH)
        self.head = nn.Linear(WIDTH, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.trunk(x))


def optimizer_for(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)


def make_task(
    seed: int, device: torch.device | str = "cpu"
) -> tuple[Classifier, TensorDataset, TensorDataset]:
    """A model, SAMPLES samples to train on, and HELD_OUT to validate on; all on `device`.

    A sample is x: float32 (WIDTH,), and y: int64 (), from 0 to 9.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Classifier().to(device)
        x = torch.randn(SAMPLES + HELD_OUT, WIDTH).to(device)
    y = x[:, :10].argmax(1)
    training, held_out = zip(
        x.split([SAMPLES, HELD_OUT]), y.split([SAMPLES, HELD_OUT]), strict=True
    )
    return model, TensorDataset(*training), TensorDataset(*held_out)


# ---- in the ranks ------------------------------------------------------------------------------


def recorded(train: Callable, seed: int) -> dict:
    """Call `train(model, training, held_out, EPOCHS)` in this rank; return what it did there.

    loss       what it returned
    batches    of every forward pass: the numbers of its samples. Those to train on come first,
               then those held out; -1 is none of them
    steps      for every optimizer step, the forward passes and the all-reduces before it
    messages   bytes of every all-reduce
    searching  DDP wrappers that search for unused parameters
    copies     bytes of gradients that DDP holds besides its buckets
    checksums  of every tensor of the trained model
    weights    these tensors as arrays, of rank 0 alone

    Raises TypeError where rank 0 returns no number.
    """
    on_gpu = dist.get_backend() == "nccl"
    device = torch.device("cuda", torch.cuda.current_device()) if on_gpu else torch.device("cpu")
    model, training, held_out = make_task(seed, device)
    record = Record()
    torch.manual_seed(seed)
    with record.of(model):
        loss = train(model, training, held_out, EPOCHS)
    is_first = dist.get_rank() == 0
    if is_first and not isinstance(loss, Number | torch.Tensor):
        raise TypeError(f"rank 0 must return the validation loss as a float, not {loss!r:.80}")
    weights = {name: tensor.cpu().numpy() for name, tensor in model.state_dict().items()}
    return {
        "loss": float(loss) if is_first else None,
        "batches": record.numbers(training, held_out),
        "steps": record.steps,
        "messages": record.messages,
        "searching": sum(wrapper.find_unused_parameters for wrapper in record.wrappers),
        "copies": sum(map(bytes_of_copies, record.wrappers)),
        "checksums": {name: zlib.crc32(values) for name, values in weights.items()},
        "weights": weights if is_first else None,
    }


class Record:
    """What a training does in this rank, noted while it runs."""

    def __init__(self) -> None:
        self.inputs: list[torch.Tensor] = []
        self.messages: list[int] = []
        self.steps: list[tuple[int, int]] = []
        self.wrappers: list[DistributedDataParallel] = []

    @contextlib.contextmanager
    def of(self, model: nn.Module) -> Iterator[None]:
        wrap, all_reduce = DistributedDataParallel.__init__, dist.all_reduce

        def noted_wrap(wrapper, *arguments, **keywords):
            wrap(wrapper, *arguments, **keywords)
            # This hook does what DDP does without one, and does it by dist.all_reduce.
            wrapper.register_comm_hook(None, allreduce_hook)
            self.wrappers.append(wrapper)

        def noted_all_reduce(tensor, *arguments, **keywords):
            self.messages.append(tensor.nbytes)
            return all_reduce(tensor, *arguments, **keywords)

        hooks = (
            model.register_forward_pre_hook(
                lambda module, inputs: self.inputs.append(inputs[0].detach())
            ),
            register_optimizer_step_post_hook(
                lambda *_: self.steps.append((len(self.inputs), len(self.messages)))
            ),
        )
        try:
            with (
                mock.patch.object(DistributedDataParallel, "__init__", noted_wrap),
                mock.patch.object(dist, "all_reduce", noted_all_reduce),
            ):
                yield
        finally:
            for hook in hooks:
                hook.remove()

    def numbers(self, *sets: TensorDataset) -> list[list[int]]:
        samples = torch.cat([data.tensors[0] for data in sets]).cpu().numpy()
        known = {sample.tobytes(): number for number, sample in enumerate(samples)}
        batches = (batch.cpu().numpy() for batch in self.inputs)
        return [[known.get(sample.tobytes(), -1) for sample in batch] for batch in batches]


def bytes_of_copies(wrapper: DistributedDataParallel) -> int:
    if wrapper.gradient_as_bucket_view:
        return 0
    return sum(parameter.nbytes for parameter in wrapper.parameters() if parameter.requires_grad)


# ---- in the notebook ---------------------------------------------------------------------------


def count(records: list[dict], seed: int) -> dict[str, float]:
    """Counts of a training, from the records of both ranks."""
    first, second = records
    seen = [[number for batch in record["batches"] for number in batch] for record in records]
    trained = [[number for number in numbers if number < SAMPLES] for numbers in seen]
    validated = [[number for number in numbers if number >= SAMPLES] for numbers in seen]
    halves = [(numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]) for numbers in trained]
    epochs = [of_first + of_second for of_first, of_second in zip(*halves, strict=True)]
    micro_batches = [batch for record in records for batch in itertools.chain(*by_step(record))]
    steps = first["steps"] or [(0, 0)]
    messages = first["messages"][: steps[-1][1]]
    weights, loss = train_alone(records, seed)
    kept = weights.keys() & first["weights"].keys()
    return {
        "all-reduces for one optimizer step": len(messages) / len(steps),
        "MB all-reduced for one optimizer step": sum(messages) / len(steps) / 1e6,
        "epochs in the order of the one before": int(any(one == two for one, two in halves)),
        "held-out samples of the busier rank": max(map(len, validated)),
        "searches for unused parameters": first["searching"],
        "MB of gradients held twice": first["copies"] / 1e6,
        "samples left out of an epoch": max(SAMPLES - len(set(epoch)) for epoch in epochs),
        "samples seen twice in an epoch": max(len(epoch) - len(set(epoch)) for epoch in epochs),
        "samples of the busier rank in an epoch": max(map(len, trained)) / EPOCHS,
        "samples in the largest micro-batch": max(map(len, micro_batches), default=0),
        "optimizer steps of both ranks": len(first["steps"]) + len(second["steps"]),
        "tensors that differ between the ranks": sum(
            first["checksums"].get(name) != second["checksums"].get(name) for name in weights
        ),
        "tensors missing from the model": len(weights) - len(kept),
        "millionths of difference from one process": 1e6
        * max(relative_difference(first["weights"][name], weights[name]) for name in kept),
        "held-out samples left out": HELD_OUT - len({*validated[0], *validated[1]}),
        "millionths of error in the validation loss": 1e6 * abs(first["loss"] / loss - 1),
    }


def relative_difference(values: np.ndarray, right: np.ndarray) -> float:
    return float(np.abs(values - right).max() / np.abs(right).max())


def by_step(record: dict) -> list[list[list[int]]]:
    """For every optimizer step of a rank its micro-batches: the numbers of their samples."""
    ends = [0, *(passes for passes, _ in record["steps"])]
    slices = [record["batches"][start:end] for start, end in itertools.pairwise(ends)]
    return [[batch for batch in part if max(batch) < SAMPLES] for part in slices]


def train_alone(records: list[dict], seed: int) -> tuple[dict[str, np.ndarray], float]:
    """The weights and the validation loss of one process that gets, in every optimizer step, the
    samples that both ranks had in it."""
    model, training, held_out = make_task(seed)
    optimizer = optimizer_for(model)
    for parts in itertools.zip_longest(*map(by_step, records), fillvalue=[]):
        for numbers in itertools.chain(*parts):
            x, y = training[numbers]
            (F.cross_entropy(model(x), y) / (2 * ACCUMULATE)).backward()
        optimizer.step()
        optimizer.zero_grad()
    with torch.no_grad():
        x, y = held_out.tensors
        loss = F.cross_entropy(model(x), y).item()
    return {name: tensor.numpy() for name, tensor in model.state_dict().items()}, loss
