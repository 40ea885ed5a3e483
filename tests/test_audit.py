"""StepAudit against independent truths: other counters of PyTorch, counts by hand, and CUDA."""

import copy
import gc
import operator
import time
import warnings
import weakref
from collections import Counter
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np
import pytest
import torch
from torch import nn
from torch.distributed._tools.mem_tracker import MemTracker
from torch.nn import functional as F
from torch.overrides import _get_current_function_mode_stack
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset, TensorDataset
from torch.utils.flop_counter import FlopCounterMode

from grader.audit import Copy, StepAudit

# On a CPU this object plays the accelerator; the string "cpu" is the host.
DEVICE = torch.device("cpu")

NAMES = {
    "launches",
    "host reads",
    "syncs",
    "uploads",
    "bytes uploaded",
    "blocking uploads",
    "downloads",
    "bytes downloaded",
    "peak bytes",
    "saved bytes",
    "saved tensors",
    "zero fills",
    "flops",
    "low-precision share",
}


def cnn(device="cpu") -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3, padding=1, stride=2),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(16, 10),
    ).to(device)


def batch(size=8, device="cpu") -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(1)
    return torch.randn(size, 3, 16, 16).to(device), torch.randint(0, 10, (size,)).to(device)


def train_step(model, optimizer, x, y) -> torch.Tensor:
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


def audited(function, *tracked, device="cpu") -> StepAudit:
    audit = StepAudit(*tracked, device=device)
    with audit:
        function()
    return audit


def test_counts_hold_every_name_and_a_report_shows_them():
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    audit = audited(lambda: train_step(model, optimizer, x, y).item(), model, optimizer)
    assert set(audit.counts) == NAMES
    report = audit.report()
    assert all(name in report for name in NAMES)
    assert f"{audit.counts['flops']:,}" in report and "item 1" in report
    assert audit.counts["syncs"] == audit.counts["host reads"] == 1


# ---- launches -----------------------------------------------------------------------------------


def test_views_allocations_and_metadata_are_no_launches():
    x = torch.randn(4, 6)

    def code():
        x.view(24), x.t(), x[1:3], x.unbind(), x.detach(), x.split(2), x.expand(2, 4, 6)
        x.unsafe_split(2), x.clone, x.shape, torch.empty(3), torch.empty_like(x)
        torch.empty(2, 3).t_().unsqueeze_(0)

    assert audited(code).counts["launches"] == 0


def test_launches_by_hand():
    x = torch.randn(4, 6)
    audit = audited(lambda: ((x @ x.t()).relu_() + 1).sum())
    assert audit.ops == {"mm": 1, "relu_": 1, "add": 1, "sum": 1}
    assert audit.counts["launches"] == 4


def profiled(function) -> Counter:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        function()
    return Counter({event.key: event.count for event in profile.key_averages()})


def test_ops_agree_with_the_profiler():
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    train_step(model, optimizer, x, y)
    step = partial(train_step, model, optimizer, x, y)
    ours = audited(step, model, optimizer).ops
    theirs = profiled(step)
    # The profiler sees kernels call each other as well, so it may count more.
    assert {name for name, count in ours.items() if theirs[f"aten::{name}"] < count} == set()
    exact = [
        "convolution",
        "convolution_backward",
        "native_batch_norm",
        "native_batch_norm_backward",
        "addmm",
        "mm",
        "relu",
        "threshold_backward",
        "native_dropout_backward",
        "nll_loss_forward",
        "nll_loss_backward",
        "_log_softmax",
        "_foreach_lerp_",
        "_foreach_addcmul_",
        "_foreach_addcdiv_",
    ]
    present = [name for name in exact if name in ours]
    assert len(present) >= 12
    assert {name: ours[name] for name in present} == {
        name: theirs[f"aten::{name}"] for name in present
    }


def test_launches_of_an_optimizer_fall_with_foreach_and_fused():
    found = []
    for kind in ({"foreach": False}, {"foreach": True}, {"fused": True}):
        model, (x, y) = cnn(), batch()
        optimizer = torch.optim.AdamW(model.parameters(), **kind)
        train_step(model, optimizer, x, y)
        found.append(audited(optimizer.step, model, optimizer).counts["launches"])
    loop, foreach, fused = found
    # Fused: the step counters, which it keeps on the device, and the update.
    assert fused == 2 < foreach < 15 < loop


def test_inference_mode_counts_the_same_as_no_grad():
    model, (x, _) = cnn().eval(), batch()
    with torch.no_grad():
        expected = audited(lambda: model(x), model)
    with torch.inference_mode():
        found = audited(lambda: model(x), model)
    assert found.ops == expected.ops
    assert found.flops == expected.flops and found.counts["flops"] > 0


# ---- host reads ---------------------------------------------------------------------------------

READS = {
    "item": ("item", lambda t: t.sum().item()),
    "tolist": ("tolist", lambda t: t.tolist()),
    "numpy": ("numpy", lambda t: t.numpy()),
    "np.asarray": ("np.asarray", lambda t: np.asarray(t)),
    "np.array": ("np.asarray", lambda t: np.array(t)),
    "np.from_dlpack": ("dlpack", lambda t: np.from_dlpack(t)),
    "cpu": ("cpu()", lambda t: t.cpu()),
    "cpu, then numpy": ("cpu()", lambda t: t.cpu().numpy()),
    "cpu, computed, then item": ("cpu()", lambda t: (t.cpu() * 2).sum().item()),
    "to": ("cpu()", lambda t: t.to("cpu")),
    "to keyword": ("cpu()", lambda t: t.to(device="cpu")),
    "to with dtype": ("cpu()", lambda t: t.to("cpu", torch.float64)),
    "late read of a copy": ("numpy", lambda t: t.to("cpu", non_blocking=True).numpy()),
    "float": ("float()", lambda t: float(t[1])),
    "bool": ("bool()", lambda t: bool(t[1])),
    "if": ("bool()", lambda t: 1 if t[1] > 0 else 0),
    "not": ("bool()", lambda t: not t[1]),
    "int": ("int()", lambda t: int(t[1])),
    "complex": ("complex()", lambda t: complex(t[1])),
    "is_nonzero": ("bool()", lambda t: t[1].is_nonzero()),
    "torch.is_nonzero": ("bool()", lambda t: torch.is_nonzero(t[1])),
    "list index": ("index", lambda t: [3, 4, 5][t.argmin()]),
    "range": ("index", lambda t: range(t.argmax())),
    "slice": ("item", lambda t: t[: t.argmax()]),
    "tensor index": ("item", lambda t: t[t.argmax()]),
    "arange": ("item", lambda t: torch.arange(t.argmax())),
    "print": ("print", lambda t: print(t)),
    "repr": ("print", lambda t: repr(t)),
    "str": ("print", lambda t: str(t)),
    "f-string": ("print", lambda t: f"{t}"),
    "format": ("print", lambda t: f"{t[1]:.3f}"),
    "percent": ("float()", lambda t: "%.3f" % t[1]),  # noqa: UP031
    "print parameter": ("print", lambda t: print(nn.Parameter(t))),
    "equal": ("equal", lambda t: t.equal(t)),
    "torch.equal": ("equal", lambda t: torch.equal(t, t)),
    "allclose": ("allclose", lambda t: torch.allclose(t, t)),
    "in": ("in", lambda t: 2.0 in t),
    "nonzero": ("nonzero", lambda t: t.nonzero()),
    "nonzero as tuple": ("nonzero", lambda t: torch.nonzero(t, as_tuple=True)),
    "argwhere": ("nonzero", lambda t: torch.argwhere(t)),
    "where": ("nonzero", lambda t: torch.where(t > 1)),
    "unique": ("unique", lambda t: t.unique()),
    "torch.unique": ("unique", lambda t: torch.unique(t, return_counts=True)),
    "unique of rows": ("unique", lambda t: torch.unique(t.view(2, 2), dim=0)),
    "unique_consecutive": ("unique", lambda t: torch.unique_consecutive(t)),
    "masked_select": ("masked_select", lambda t: t.masked_select(t > 1)),
    "boolean mask": ("boolean mask", lambda t: t[t > 1]),
    "write by mask": ("boolean mask", lambda t: operator.setitem(t, t > 1, t[:2].clone())),
    "bincount": ("bincount", lambda t: torch.bincount(t.long())),
    "repeat_interleave": ("repeat_interleave", lambda t: t.repeat_interleave(t.long())),
    "max": ("bool()", lambda t: max(t[:2])),
    "min": ("bool()", lambda t: min(t[:2])),
    "sum of bool": ("bool()", lambda t: sum(bool(x) for x in t[:1])),
    "any": ("bool()", lambda t: any(t[1:])),
    "one_hot": ("one_hot", lambda t: F.one_hot(t.long())),
    "tensor of tensors": ("torch.tensor", lambda t: torch.tensor([t[0], 1.0])),
    "cholesky": (
        "linalg check",
        lambda t: torch.linalg.cholesky(torch.eye(2) + t.view(2, 2)[0, 0]),
    ),
    "finite gradients": (
        "bool()",
        lambda t: nn.utils.get_total_norm([t], error_if_nonfinite=True),
    ),
}


@pytest.mark.filterwarnings("ignore:__array__ implementation")
@pytest.mark.parametrize("track", [False, True], ids=["untracked", "tracked"])
@pytest.mark.parametrize("name", READS)
def test_each_read_counts_once(name, track):
    how, read = READS[name]
    t = torch.tensor([0.0, 1.0, 2.0, 3.0])
    audit = audited(lambda: read(t), *[t] * track)
    assert audit.reads == {how: 1}
    assert audit.counts["host reads"] == audit.counts["syncs"] == 1


NO_READS = {
    "compute": lambda t: (t * 2).sum(),
    "python sum": lambda t: sum(t),
    "iterate": lambda t: [x for x in t],
    "len, shape, hash": lambda t: (len(t), t.shape, hash(t), t.dtype, t.device),
    "where": lambda t: torch.where(t > 1, t, 0),
    "fill by mask": lambda t: operator.setitem(t, t > 1, 0.0),
    "masked_fill": lambda t: t.masked_fill(t > 1, 0.0),
    "integer index": lambda t: t[torch.tensor([0, 2])],
    "repeat_interleave of known size": lambda t: t.repeat_interleave(t.long(), output_size=6),
    "one_hot of known size": lambda t: F.one_hot(t.long(), 4),
    "to the device": lambda t: t.to(DEVICE),
    "to the device, keyword": lambda t: t.to(device=DEVICE, non_blocking=True),
    "to a dtype": lambda t: t.to(torch.float64),
    "dtype methods": lambda t: (t.double(), t.type(torch.int64), t.half()),
    "to another": lambda t: t.to(torch.zeros(2, dtype=torch.float64)),
    "unread copy": lambda t: t.to("cpu", non_blocking=True),
    "deepcopy": lambda t: copy.deepcopy(t),
    "any, all": lambda t: (t.any(), t.all(), torch.isnan(t).any()),
}


@pytest.mark.parametrize("name", NO_READS)
def test_what_makes_nobody_wait_is_no_read(name):
    t = torch.tensor([0.0, 1.0, 2.0, 3.0])
    assert audited(lambda: NO_READS[name](t), t).reads == {}


def test_to_a_host_tensor_is_a_read():
    t, host = torch.ones(3), []

    def code():
        host.append(t.cpu())
        (t * 2).to(host[0])

    assert audited(code).reads == {"cpu()": 2}


def test_every_element_compared_by_python_is_a_read():
    t = torch.arange(5.0)
    assert audited(lambda: max(t)).reads == {"bool()": 4}
    assert audited(lambda: torch.tensor([x for x in t])).reads == {"torch.tensor": 5}


def test_printing_launches_nothing_and_a_search_launches_what_it_computes():
    t = torch.tensor([0.0, 1.0, 2.0])
    assert audited(lambda: print(t)).counts["launches"] == 0
    assert audited(lambda: f"{t[0]:.2f}").counts["launches"] == 0
    assert audited(lambda: t.tolist()).counts["launches"] == 0
    assert audited(lambda: t.nonzero()).ops == {"nonzero": 1}
    assert audited(lambda: 1.0 in t).ops == {"eq": 1, "any": 1}


def test_host_values_stay_on_the_host():
    model, (x, y) = cnn(), batch()

    def code():
        predicted = model(x).argmax(1).cpu()
        correct = (predicted == y).sum()
        return correct.item(), predicted.tolist(), predicted.float().mean().item()

    audit = audited(code, model)
    assert audit.reads == {"cpu()": 1}
    assert "argmax" in audit.ops and "eq" not in audit.ops


def test_a_host_tensor_that_takes_a_device_value_is_read_again():
    model, (x, _) = cnn(), batch()

    def code():
        total = torch.zeros(10).cpu()
        total += model(x).detach().sum(0)
        total.tolist()

    assert audited(code, model).reads == {"cpu()": 1, "tolist": 1}


def test_a_host_scalar_does_not_take_a_device_tensor_to_the_host():
    t, scale = torch.ones(4), torch.ones(())

    def code():
        factor = scale.cpu()
        (t * factor).tolist()

    assert audited(code).reads == {"cpu()": 1, "tolist": 1}


def test_reads_inside_the_backward_pass_count():
    model, (x, y) = cnn(), batch()
    plain = audited(lambda: F.cross_entropy(model(x), y).backward(), model)

    def watched():
        with torch.autograd.set_detect_anomaly(True, check_nan=True):
            F.cross_entropy(model(x), y).backward()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        anomaly = audited(watched, model)
    assert plain.counts["host reads"] == 0
    assert anomaly.reads["item"] > 5


@pytest.mark.parametrize(
    "make",
    [
        partial(torch.optim.AdamW, foreach=False),
        partial(torch.optim.AdamW, foreach=True),
        partial(torch.optim.AdamW, fused=True),
        partial(torch.optim.NAdam, foreach=False),
        partial(torch.optim.SGD, lr=0.1, momentum=0.9),
    ],
    ids=["loop", "foreach", "fused", "nadam", "sgd"],
)
def test_step_counters_of_the_host_are_no_reads(make):
    model, (x, y) = cnn(), batch()
    # A parameter without dimensions must not be taken for a counter.
    scale = nn.Parameter(torch.ones(()))
    optimizer = make([*model.parameters(), scale])

    def step():
        optimizer.zero_grad()
        (F.cross_entropy(model(x), y) * scale).backward()
        optimizer.step()

    first, second = audited(step, model, optimizer), audited(step, model, optimizer)
    assert first.reads == second.reads == {}
    assert audited(lambda: scale.item(), optimizer).reads == {"item": 1}


def test_an_untracked_optimizer_is_not_excused():
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
    train_step(model, optimizer, x, y)
    audit = audited(optimizer.step, model)
    assert audit.reads == {"item": len(list(model.parameters()))}


def test_gradient_scaler_reads_once_a_step_unless_the_optimizer_is_fused():
    found = {}
    for fused in (False, True):
        model, (x, y) = cnn(), batch()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, fused=fused)
        scaler = torch.amp.GradScaler("cpu", init_scale=8.0)

        def step(model=model, optimizer=optimizer, scaler=scaler, x=x, y=y):
            optimizer.zero_grad()
            scaler.scale(F.cross_entropy(model(x), y)).backward()
            scaler.step(optimizer)
            scaler.update()

        step()
        audit = audited(step, model, optimizer, scaler)
        assert audit.counts["uploads"] == 0
        found[fused] = audit.reads
    assert found == {False: {"item": 1}, True: {}}


# ---- copies -------------------------------------------------------------------------------------


UPLOADS = {
    "device": (lambda x: x.to(DEVICE), 64, False),
    "non_blocking": (lambda x: x.to(DEVICE, non_blocking=True), 64, True),
    "keyword": (lambda x: x.to(device=DEVICE, non_blocking=True), 64, True),
    "positional": (lambda x: x.to(DEVICE, torch.float32, True), 64, True),
    "bytes before the conversion": (lambda x: x.to(DEVICE, torch.float64), 64, False),
    "conversion before": (lambda x: x.half().to(DEVICE), 32, False),
    "slice": (lambda x: x[4:8].to(DEVICE), 16, False),
    "strided slice": (lambda x: x[::2].to(DEVICE), 32, False),
    "made on the host": (lambda x: torch.zeros(4).to(DEVICE), 16, False),
    "from numpy": (lambda x: torch.from_numpy(np.ones(3)).to(DEVICE), 24, False),
    "torch.tensor": (lambda x: torch.tensor([1.0, 2.0], device=DEVICE), 8, False),
    "as_tensor of an array": (lambda x: torch.as_tensor(np.ones(2), device=DEVICE), 16, False),
    "as_tensor of a tensor": (lambda x: torch.as_tensor(x, device=DEVICE), 64, False),
    "asarray": (lambda x: torch.asarray([1, 2], device=DEVICE), 16, False),
    "into a device buffer": (
        lambda x: torch.empty(16, device=DEVICE).copy_(x, non_blocking=True),
        64,
        True,
    ),
    "to another": (lambda x: x.to(torch.zeros(2, device=DEVICE)), 64, False),
    "to another, non_blocking": (
        lambda x: x.to(torch.zeros(2, device=DEVICE), True),
        64,
        True,
    ),
    "module": (lambda x: nn.Linear(4, 4, bias=False).to(DEVICE), 64, False),
    "sparse": (lambda x: x.to_sparse().to(DEVICE), 64, False),
    "twice there": (lambda x: x.to(DEVICE).to(DEVICE), 64, False),
    "computed there": (lambda x: (x.to(DEVICE) * 2).to(DEVICE), 64, False),
    "view there": (lambda x: x.to(DEVICE)[:3].to(DEVICE), 64, False),
}


@pytest.mark.parametrize("name", UPLOADS)
def test_uploads(name):
    upload, nbytes, non_blocking = UPLOADS[name]
    x = torch.randn(16)
    audit = audited(lambda: upload(x))
    assert audit.copies == [Copy("upload", nbytes, non_blocking, pinned=False)]
    assert audit.counts["uploads"] == 1
    assert audit.counts["bytes uploaded"] == nbytes
    assert audit.counts["blocking uploads"] == (not non_blocking)
    assert audit.reads == {}
    assert audit.counts["downloads"] == 0


@pytest.mark.parametrize(
    "code",
    [
        lambda x: torch.zeros(4, device=DEVICE).to(DEVICE),
        lambda x: torch.randn_like(x, device=DEVICE).to(DEVICE),
        lambda x: torch.tensor([1.0]),
        lambda x: torch.tensor([1.0], device="cpu"),
        lambda x: torch.as_tensor(x, device="cpu"),
        lambda x: x.to(torch.float64),
        lambda x: x.to(dtype=torch.float64),
        lambda x: x.to(memory_format=torch.preserve_format),
        lambda x: x.double(),
        lambda x: torch.from_numpy(np.ones(3)),
        lambda x: torch.empty(16).copy_(x),
    ],
)
def test_what_is_no_upload(code):
    x = torch.randn(16)
    assert audited(lambda: code(x)).counts["uploads"] == 0


def test_cuda_method_counts_as_an_upload():
    x = torch.randn(16)
    audit = StepAudit()
    with audit:
        # Where there is no CUDA, the call itself fails: it is counted as it was made.
        try:
            x.cuda(non_blocking=True)
        except (AssertionError, RuntimeError):
            assert not torch.cuda.is_available()
    assert audit.copies == [Copy("upload", 64, True, pinned=False)]


def test_what_belongs_to_the_device_is_not_uploaded_again():
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.AdamW(model.parameters())
    train_step(model, optimizer, x, y)

    def code():
        model.to(DEVICE)
        out = model(x).to(DEVICE)
        out.sum().to(DEVICE)
        next(model.parameters()).grad.to(DEVICE)
        next(iter(optimizer.state.values()))["exp_avg"].to(DEVICE)

    assert audited(code, model, optimizer).counts["uploads"] == 0
    # An untracked model is on the host.
    count = len([*model.parameters(), *model.buffers()])
    assert audited(lambda: model.to(DEVICE)).counts["uploads"] >= count


def test_a_bare_tensor_may_be_tracked_on_the_host():
    model, (x, _) = cnn(), batch()
    audit = audited(lambda: model(x.to(DEVICE)), model, x)
    assert [copy.nbytes for copy in audit.copies] == [x.nbytes]


def test_each_batch_cut_from_one_host_tensor_is_an_upload():
    data = torch.randn(12, 2)

    def code():
        for _ in range(2):
            for start in range(0, 12, 4):
                data[start : start + 4].to(DEVICE)

    audit = audited(code)
    assert audit.counts["uploads"] == 6
    assert audit.counts["bytes uploaded"] == 2 * 12 * 2 * 4


def test_uploads_and_downloads_are_copies_with_the_values_and_gradients_of_the_source():
    x = torch.randn(6, requires_grad=True)
    there = []

    def code():
        there.append(x.to(DEVICE))
        there.append(there[0].cpu())
        (there[1] * 3).sum().backward()

    audited(code)
    for tensor in there:
        assert torch.equal(tensor, x)
        assert tensor.untyped_storage().data_ptr() != x.untyped_storage().data_ptr()
    assert torch.equal(x.grad, torch.full((6,), 3.0))


DOWNLOADS = {
    "cpu": lambda t: t.cpu(),
    "to": lambda t: t.to("cpu"),
    "non_blocking": lambda t: t.to("cpu", non_blocking=True),
    "tolist": lambda t: t.tolist(),
    "numpy": lambda t: t.numpy(),
    "np.asarray": lambda t: np.asarray(t),
    "cpu, then more": lambda t: t.cpu().cpu().numpy().tolist(),
    "into a host buffer": lambda t: torch.zeros(0).cpu().resize_(16).copy_(t.to(DEVICE)),
}


@pytest.mark.parametrize("name", DOWNLOADS)
def test_downloads(name):
    t = torch.randn(16)
    audit = audited(lambda: DOWNLOADS[name](t))
    downloads = [c for c in audit.copies if c.kind == "download" and c.nbytes]
    assert downloads == [Copy("download", 64, name == "non_blocking", pinned=False)]
    assert audit.counts["bytes downloaded"] == 64


def test_a_round_trip_uploads_again():
    t = torch.randn(16)
    audit = audited(lambda: t.to(DEVICE).cpu().to(DEVICE))
    assert [c.kind for c in audit.copies] == ["upload", "download", "upload"]


class Labelled(Dataset):
    def __init__(self):
        self.data, self.labels = torch.randn(12, 3), torch.arange(12)

    def __len__(self):
        return 12

    def __getitem__(self, index):
        return self.data[index], int(self.labels[index])


@pytest.mark.parametrize(
    "dataset", [TensorDataset(torch.randn(12, 3), torch.arange(12)), Labelled()]
)
def test_loading_data_is_the_work_of_the_host(dataset):
    model = nn.Linear(3, 2)
    loader = DataLoader(dataset, batch_size=4, shuffle=True)
    losses = []

    def epoch():
        for x, y in loader:
            x, y = x.to(DEVICE, non_blocking=True), y.to(DEVICE)
            losses.append(model(x).sum().detach() + y.sum())
        return torch.stack(losses).mean().item()

    audit = audited(epoch, model)
    assert audit.reads == {"item": 1}
    assert audit.counts["uploads"] == 6
    assert audit.counts["bytes uploaded"] == 12 * (3 * 4 + 8)
    assert audit.counts["blocking uploads"] == 3


def test_a_device_value_read_while_loading_data_counts():
    model = nn.Linear(3, 2)

    def collate(samples):
        return model(torch.stack([x for x, _ in samples])).sum().item()

    loader = DataLoader(Labelled(), batch_size=4, collate_fn=collate)
    assert audited(lambda: list(loader), model).reads == {"item": 3}


# ---- memory -------------------------------------------------------------------------------------


def memtracker_peak(step, *tracked) -> int:
    tracker = MemTracker()
    tracker.track_external(*tracked)
    with tracker:
        before = tracker.get_tracker_snapshot("current")[DEVICE]["Total"]
        step()
        return tracker.get_tracker_snapshot("peak")[DEVICE]["Total"] - before


@pytest.mark.parametrize("size", [4, 16])
@pytest.mark.parametrize("warm", [False, True], ids=["first step", "second step"])
@pytest.mark.parametrize(
    "make",
    [partial(torch.optim.SGD, lr=0.1), torch.optim.AdamW, partial(torch.optim.AdamW, fused=True)],
    ids=["sgd", "adamw", "fused"],
)
def test_peak_bytes_agree_with_memtracker(make, warm, size):
    found = []
    for count in (lambda *a: audited(*a).counts["peak bytes"], memtracker_peak):
        model, (x, y) = cnn(), batch(size)
        optimizer = make(model.parameters())
        if warm:
            train_step(model, optimizer, x, y)
        found.append(count(partial(train_step, model, optimizer, x, y), model, optimizer, x, y))
    ours, theirs = found
    assert ours == theirs
    assert ours > size * 8 * 16 * 16 * 4


def test_peak_bytes_leave_out_the_counters_that_an_optimizer_keeps_on_the_host():
    found = []
    for count in (lambda *a: audited(*a).counts["peak bytes"], memtracker_peak):
        model = nn.Linear(300, 300)
        optimizer = torch.optim.AdamW(model.parameters())
        model(torch.ones(1, 300)).sum().backward()
        found.append(count(optimizer.step, model, optimizer))
    ours, theirs = found
    # Two moments, and a buffer of the update; MemTracker adds 4 bytes for each parameter.
    assert ours == theirs - 2 * 4
    assert ours > 3 * 300 * 300 * 4


def test_peak_bytes_by_hand():
    def code():
        a = torch.zeros(1000, device=DEVICE)  # 4000
        b = a + 1  # 8000
        del a
        c = b * 2  # 8000
        del b, c
        torch.zeros(1500)  # 6000

    assert audited(code).counts["peak bytes"] == 8000


def test_peak_bytes_count_from_what_was_alive_at_entry():
    x = torch.zeros(1000)
    assert audited(lambda: x.add_(1), x).counts["peak bytes"] == 0
    assert audited(lambda: (x.add_(1), x[:5])).counts["peak bytes"] == 0
    assert audited(lambda: x + 1, x).counts["peak bytes"] == 4000
    model = nn.Linear(10, 10)
    assert audited(lambda: x[:10].add_(model.bias.detach()), model).counts["peak bytes"] == 0
    model(torch.ones(1, 10)).sum().backward()

    def refill():
        model.zero_grad()
        return torch.ones(110)

    # The gradients (440 bytes) go before as many bytes come.
    assert audited(refill, model).counts["peak bytes"] == 0


def test_bytes_of_copied_and_borrowed_arrays():
    images = np.ones((4, 8), dtype=np.float32)
    assert audited(lambda: torch.tensor(images)).counts["peak bytes"] == 128
    assert audited(lambda: torch.as_tensor(images)).counts["peak bytes"] == 0
    assert audited(lambda: torch.from_numpy(images)).counts["peak bytes"] == 0
    assert audited(lambda: torch.as_tensor(images, device=DEVICE)).counts["peak bytes"] == 128


def test_saved_for_backward_by_hand():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(20, 30), nn.ReLU(), nn.Linear(30, 10))
    x, y = torch.randn(8, 20), torch.randn(8, 10)

    def forward():
        F.mse_loss(model(x), y).backward()

    # The output of ReLU (also the input of the second layer) and the prediction.
    tracked = audited(forward, model, x, y).counts
    assert (tracked["saved bytes"], tracked["saved tensors"]) == ((30 + 10) * 8 * 4, 2)
    # Untracked, the batch counts as well; its copy on the device is another tensor.
    untracked = audited(forward, model).counts
    assert untracked["saved bytes"] == (20 + 30 + 10 + 10) * 8 * 4
    # Parameters count where nothing is tracked: the first layer needs no gradient of its input,
    # so it is only the second whose weight is kept.
    nothing = audited(forward).counts
    assert nothing["saved bytes"] == (20 + 30 + 10 + 10) * 8 * 4 + 30 * 10 * 4


def test_nothing_is_saved_without_gradients():
    model, (x, _) = cnn(), batch()
    with torch.no_grad():
        counts = audited(lambda: model(x), model).counts
    assert counts["saved bytes"] == counts["saved tensors"] == 0 < counts["peak bytes"]


def test_checkpointing_saves_less_and_computes_more():
    torch.manual_seed(0)
    blocks = nn.ModuleList(
        nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 64), nn.Tanh()) for _ in range(3)
    )
    x = torch.randn(32, 64)

    def run(wrap):
        h = x
        for block in blocks:
            h = wrap(block, h)
        h.sum().backward()

    plain = audited(lambda: run(lambda block, h: block(h)), blocks, x)
    lean = audited(
        lambda: run(lambda block, h: checkpoint(block, h, use_reentrant=False)), blocks, x
    )
    one = 32 * 64 * 4
    # Plain: a block keeps the inputs of GELU, the second layer and Tanh's result.
    assert plain.counts["saved bytes"] == 3 * 3 * one
    # Checkpointed: its input alone, which is x, tracked, for the first.
    assert lean.counts["saved bytes"] == 2 * one
    assert lean.counts["flops"] > plain.counts["flops"]
    assert lean.counts["peak bytes"] < plain.counts["peak bytes"]
    assert lean.counts["host reads"] == 0


class Holder:
    def __init__(self, tensor):
        self.tensor = tensor


# Kept for backward: x, the output of ReLU (twice: it is the input of the second layer), the second
# weight and the prediction.
@pytest.mark.parametrize(
    ("pack", "unpack", "expected"),
    [
        (lambda tensor: tensor, lambda kept: kept, (20 + 30 + 10) * 8 * 4),
        (lambda tensor: (0, [tensor]), lambda kept: kept[1][0], (20 + 30 + 10) * 8 * 4),
        (Holder, lambda kept: kept.tensor, (20 + 30 + 10) * 8 * 4),
        (torch.clone, lambda kept: kept, ((20 + 30 + 30 + 10) * 8 + 30 * 10) * 4),
        (torch.Tensor.half, torch.Tensor.float, ((20 + 30 + 30 + 10) * 8 + 30 * 10) * 2),
        (lambda tensor: tensor.shape, torch.zeros, 0),
    ],
    ids=["identity", "in a tuple", "in an object", "a copy", "half precision", "nothing"],
)
def test_hooks_of_the_code_are_seen(pack, unpack, expected):
    """Any hooks of the code take the place of the audit's own."""
    model = nn.Sequential(nn.Linear(20, 30), nn.ReLU(), nn.Linear(30, 10))
    x = torch.randn(8, 20)

    def hooked():
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            loss = model(x).square().sum()
        loss.backward()

    push = torch._C._autograd._push_saved_tensors_default_hooks
    assert audited(hooked, model).counts["saved bytes"] == expected
    assert torch._C._autograd._push_saved_tensors_default_hooks is push


# ---- flops, fills -------------------------------------------------------------------------------


def test_flops_agree_with_flop_counter_mode():
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with FlopCounterMode(display=False) as counter:
        train_step(model, optimizer, x, y)
    audit = audited(partial(train_step, model, optimizer, x, y), model, optimizer)
    assert audit.counts["flops"] == counter.get_total_flops()
    assert audit.flops == {"float32": counter.get_total_flops()}
    forward = 2 * 8 * (8 * 3 * 9 * 256 + 16 * 8 * 9 * 64 + 16 * 10)
    # Backward: two products for each of the forward's but the first, which needs one.
    assert audit.counts["flops"] == 3 * forward - 2 * 8 * 8 * 3 * 9 * 256


def test_flops_of_attention_by_hand():
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 3, 5, 8, requires_grad=True) for _ in range(3))
    forward = 2 * (2 * 3 * 5 * 5 * 8) * 2
    audit = audited(lambda: F.scaled_dot_product_attention(q, k, v))
    assert audit.counts["flops"] == forward
    # Backward: the scores again and four products.
    audit = audited(lambda: F.scaled_dot_product_attention(q, k, v).sum().backward())
    assert audit.counts["flops"] == forward + forward // 2 * 5


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_low_precision_share(dtype):
    model, (x, y) = cnn(), batch()

    def half():
        with torch.autocast("cpu", dtype=dtype):
            loss = F.cross_entropy(model(x).float(), y)
        loss.backward()

    assert audited(half, model).counts["low-precision share"] == 1
    assert audited(lambda: model(x), model).counts["low-precision share"] == 0
    assert audited(lambda: x + 1).counts["low-precision share"] == 0
    a = torch.ones(4, 4)
    mixed = audited(lambda: (a @ a, a.to(dtype) @ a.to(dtype)))
    assert mixed.counts["low-precision share"] == 0.5


def test_zero_fills_by_hand():
    x, y = torch.ones(3), torch.ones(2)
    assert (
        audited(lambda: (x.zero_(), torch.zeros(3), torch.zeros_like(x))).counts["zero fills"] == 3
    )
    assert audited(lambda: (x.fill_(0), x.fill_(0.0), x.new_zeros(2))).counts["zero fills"] == 3
    assert audited(lambda: torch._foreach_zero_([x, y])).counts["zero fills"] == 2
    nonzero = (lambda: x.fill_(2), lambda: torch.ones(3), lambda: x.mul_(0), lambda: torch.empty(3))
    assert [audited(code).counts["zero fills"] for code in nonzero] == [0, 0, 0, 0]


@pytest.mark.parametrize("foreach", [False, True])
def test_zero_fills_of_gradients(foreach):
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=foreach)
    train_step(model, optimizer, x, y)
    parameters = len(list(model.parameters()))
    fills = [
        audited(partial(optimizer.zero_grad, set_to_none=unset), model).counts["zero fills"]
        for unset in (False, True)
    ]
    assert fills == [parameters, 0]


# ---- devices ------------------------------------------------------------------------------------


def test_meta_agrees_with_the_cpu():
    found = []
    for device in ("cpu", "meta"):
        model, (x, y) = cnn(device), batch(16, device)
        optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
        step = partial(train_step, model, optimizer, x, y)
        found.append(audited(step, model, optimizer, x, y, device=device).counts)
    cpu, meta = found
    assert cpu["peak bytes"] > 0
    # A CPU has another kernel for dropout's mask, so only what it does not touch is compared.
    same = ["peak bytes", "saved bytes", "saved tensors", "flops", "host reads", "zero fills"]
    assert {name: cpu[name] for name in same} == {name: meta[name] for name in same}


def test_step_counters_are_no_launches_as_on_a_device_of_its_own():
    found = []
    for device in ("cpu", "meta"):
        model, (x, y) = cnn(device), batch(16, device)
        optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
        train_step(model, optimizer, x, y)
        found.append(audited(optimizer.step, model, optimizer, device=device).ops)
    assert found[0] == found[1]
    # Weight decay and moments of each parameter; no addition of 1 to a counter.
    assert found[0]["addcdiv_"] == len(list(cnn().parameters()))


def test_meta_shows_the_border():
    x = torch.randn(16)
    host, pinned = [], False

    def code():
        there = x.to("meta", non_blocking=True)
        torch.empty(16, device="meta").copy_(x)
        torch.tensor([1.0, 2.0], device="meta")
        host.append(x.sum().item())
        return there * 2

    audit = audited(code, device="meta")
    assert audit.copies == [
        Copy("upload", 64, True, pinned),
        Copy("upload", 64, False, pinned),
        Copy("upload", 8, False, pinned),
    ]
    assert audit.counts["blocking uploads"] == audit.counts["syncs"] == 2
    # What happens on the host is not the device's.
    assert audit.reads == {}
    assert audit.ops == {"mul": 1}
    assert audit.counts["peak bytes"] == 64 + 64


def test_devices_are_checked():
    assert StepAudit(device=torch.device("cpu")).device.type == "cpu"
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="cuda"):
            StepAudit(device="cuda")


# ---- repeatable and robust ----------------------------------------------------------------------


@dataclass
class Everything:
    model: nn.Module
    optimizer: torch.optim.Optimizer


def test_containers_are_walked_and_the_rest_is_passed_over():
    counts = []
    for pack in (
        lambda m, o, x, y: (m, o, x, y),
        lambda m, o, x, y: ([m], {"optimizer": o}, ((x,), {"y": [y]}), None, 3, "cpu", DEVICE),
        lambda m, o, x, y: (Everything(m, o), (x, y), print, DataLoader([1, 2])),
    ):
        model, (x, y) = cnn(), batch()
        optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
        train_step(model, optimizer, x, y)
        step = partial(train_step, model, optimizer, x, y)
        counts.append(audited(step, *pack(model, optimizer, x, y)).counts)
    assert counts[0] == counts[1] == counts[2]
    assert counts[0]["host reads"] == 0


def test_counts_are_the_same_over_runs_and_threads():
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 1, 1, 2, 2):
            torch.set_num_threads(threads)
            model, (x, y) = cnn(), batch()
            optimizer = torch.optim.AdamW(model.parameters())
            x, y = x.repeat(8, 1, 1, 1), y.repeat(8)
            train_step(model, optimizer, x, y)
            audit = audited(
                lambda m=model, o=optimizer, x=x, y=y: train_step(m, o, x.to(DEVICE), y).item(),
                model,
                optimizer,
            )
            found.append((audit.counts, audit.ops, audit.reads, audit.copies))
    finally:
        torch.set_num_threads(before)
    assert all(one == found[0] for one in found[1:])


def test_the_answer_is_the_same_under_an_audit():
    losses = []
    for watch in (False, True):
        model, (x, y) = cnn(), batch()
        optimizer = torch.optim.AdamW(model.parameters())
        torch.manual_seed(2)

        def steps(model=model, optimizer=optimizer, x=x, y=y):
            return [train_step(model, optimizer, x.to(DEVICE), y).item() for _ in range(3)]

        if watch:
            with StepAudit(model, optimizer):
                losses.append(steps())
        else:
            losses.append(steps())
    assert losses[0] == losses[1]


def modes() -> tuple[int, int]:
    return len(_get_current_function_mode_stack()), len(_get_current_dispatch_mode_stack())


def test_an_exception_passes_through_and_restores_every_mode():
    model, (x, _) = cnn(), batch()
    before = modes()
    audit = StepAudit(model)
    with pytest.raises(ZeroDivisionError), audit:
        model(x).sum().item()
        1 / 0  # noqa: B018
    assert modes() == before
    counts = audit.counts
    assert counts["host reads"] == 1 and counts["saved tensors"] > 0
    model(x).sum().item()
    assert audit.counts == counts


def test_an_exception_inside_a_counted_call_leaves_no_trace():
    t = torch.ones(2)
    audit = StepAudit()
    with audit:
        with pytest.raises(RuntimeError):
            t.item()
        with pytest.raises(TypeError):
            t.to(DEVICE, "nonsense")
        t.sum().item()
    assert audit.reads == {"item": 2}
    assert audit.ops == {"sum": 1}


def test_one_audit_counts_one_block():
    audit = StepAudit()
    with audit, pytest.raises(RuntimeError, match="new StepAudit"):
        audit.__enter__()
    with pytest.raises(RuntimeError, match="new StepAudit"), audit:
        pass
    assert modes() == (0, 0)


def test_an_audit_keeps_nothing_alive():
    model, (x, y) = cnn(), batch()
    optimizer = torch.optim.AdamW(model.parameters())
    audit = audited(partial(train_step, model, optimizer, x, y), [model], optimizer, x)
    step = next(iter(optimizer.state.values()))["step"]
    tracked = [weakref.ref(thing) for thing in (model, optimizer, x, step)]
    del model, optimizer, x, step
    gc.collect()
    assert [thing() for thing in tracked] == [None] * 4
    assert audit.counts["launches"] > 0


def test_nested_audits_both_count():
    model, (x, y) = cnn(), batch()

    def code():
        out = model(x.to(DEVICE))
        F.cross_entropy(out, y).backward()
        return out.cpu().numpy if out.sum().item() else print(out)

    alone = audited(code, model)
    model.zero_grad()
    outer, inner = StepAudit(model), StepAudit(model)
    with outer:
        with inner:
            code()
        x + 1
    assert inner.counts.keys() == alone.counts.keys()
    assert inner.counts == alone.counts
    assert inner.reads == outer.reads == alone.reads
    assert inner.copies == outer.copies == alone.copies
    assert outer.ops == inner.ops + Counter(add=1)
    assert outer.counts["saved bytes"] == inner.counts["saved bytes"] > 0


@pytest.mark.parametrize("kind", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_gradient_modes_work_inside_and_outside(kind):
    x, weight = torch.randn(4, 3), torch.randn(3, 2)

    def inside():
        with kind():
            return (x.to(DEVICE) @ weight).sum().item()

    with kind():
        outside = audited(lambda: (x.to(DEVICE) @ weight).sum().item())
    for audit in (audited(inside), outside):
        assert audit.ops == {"mm": 1, "sum": 1}
        assert audit.reads == {"item": 1}
        assert audit.counts["uploads"] == 1


def test_embeddings_and_sparse_gradients():
    torch.manual_seed(0)
    embedding = nn.Embedding(10, 4, sparse=True)
    optimizer = torch.optim.SparseAdam(embedding.parameters())
    index = torch.tensor([1, 2, 2])

    def step():
        optimizer.zero_grad()
        embedding(index).sum().backward()
        optimizer.step()

    audit = audited(step, embedding, optimizer)
    assert audit.ops["embedding"] == 1
    assert audit.counts["launches"] > 5


# ---- cost ---------------------------------------------------------------------------------------


@pytest.mark.timing
def test_an_audit_costs_a_few_plain_steps():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    )
    optimizer = torch.optim.AdamW(model.parameters())
    x, y = batch(32)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    plain, watched = [], []
    try:
        for _ in range(15):
            start = time.process_time()
            train_step(model, optimizer, x, y)
            plain.append(time.process_time() - start)
            start = time.process_time()
            with StepAudit(model, optimizer):
                train_step(model, optimizer, x, y)
            watched.append(time.process_time() - start)
    finally:
        torch.set_num_threads(before)
    ratio = median(watched) / median(plain)
    print(f"an audited step costs {ratio:.2f} plain ones ({median(plain) * 1e3:.1f} ms)")
    assert ratio <= 8


# ---- a real GPU ---------------------------------------------------------------------------------

cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


@pytest.mark.cuda
@cuda
def test_launches_are_a_floor_for_the_kernels_of_the_gpu():
    model, (x, y) = cnn("cuda"), batch(8, "cuda")
    optimizer = torch.optim.AdamW(model.parameters())
    step = partial(train_step, model, optimizer, x, y)
    step()
    launches = audited(step, model, optimizer, device="cuda").counts["launches"]
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        step()
        torch.cuda.synchronize()
    kernels = [
        event
        for event in profile.events()
        if event.device_type == torch.autograd.DeviceType.CUDA
        and "memcpy" not in event.name.lower()
    ]
    assert 0 < launches <= len(kernels)


def waits(function) -> int:
    """How often CUDA itself says that the host waits."""
    torch.cuda.synchronize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            function()
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return sum("synchronizing" in str(warning.message) for warning in caught)


@pytest.mark.cuda
@cuda
@pytest.mark.parametrize(
    "code",
    [
        lambda t, host, pinned: t.sum().item(),
        lambda t, host, pinned: t.tolist(),
        lambda t, host, pinned: t.cpu().numpy(),
        lambda t, host, pinned: t.to("cpu").tolist(),
        lambda t, host, pinned: bool(t[0] > 0),
        lambda t, host, pinned: t.nonzero(),
        lambda t, host, pinned: t[t > 1],
        lambda t, host, pinned: operator.setitem(t, t > 1, 0.0),
        lambda t, host, pinned: host.to("cuda"),
        lambda t, host, pinned: pinned.to("cuda", non_blocking=True),
        lambda t, host, pinned: torch.tensor([1.0, 2.0], device="cuda"),
        lambda t, host, pinned: (t * 2).sum(),
    ],
)
def test_syncs_agree_with_the_debug_mode_of_cuda(code):
    host = torch.tensor([0.0, 1.0, 2.0, 3.0])
    arguments = (host.cuda(), host, host.pin_memory())
    code(*arguments)
    audit = audited(lambda: code(*arguments), device="cuda")
    assert audit.counts["syncs"] == waits(lambda: code(*arguments))


@pytest.mark.cuda
@cuda
def test_copies_across_the_border_of_cuda():
    host = torch.randn(16)
    pinned = host.pin_memory()

    def code():
        host.to("cuda", non_blocking=True)
        there = pinned.to("cuda", non_blocking=True)
        there.cpu()

    audit = audited(code, device="cuda")
    assert audit.copies == [
        Copy("upload", 64, True, pinned=False),
        Copy("upload", 64, True, pinned=True),
        Copy("download", 64, False, pinned=False),
    ]
    assert audit.counts["blocking uploads"] == 1
    assert audit.counts["peak bytes"] == 128


@pytest.mark.cuda
@cuda
def test_host_tensors_do_not_count_on_cuda():
    host, labels = torch.randn(16), torch.arange(4)

    def code():
        (host * 2).sum().item(), labels.tolist(), print(host)

    counts = audited(code, device="cuda").counts
    assert counts["host reads"] == counts["launches"] == counts["peak bytes"] == 0


def test_a_graph_that_is_never_run_backward_is_freed_with_its_result():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    batches = [torch.randn(128, 64) for _ in range(7)]

    def peak(keep_graphs: bool) -> float:
        audit = StepAudit(model, batches)
        with audit:
            total = 0.0
            for x in batches:
                loss = model(x).sum()
                total = total + (loss if keep_graphs else loss.detach())
        return audit.counts["peak bytes"]

    assert peak(keep_graphs=True) > 2.5 * peak(keep_graphs=False)
