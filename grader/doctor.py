"""`python -m grader doctor`: what the course finds on this machine, in ten seconds."""

import ctypes.util
import importlib.metadata
import platform
import re
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import torch

from grader import host, machine, records
from grader.arms import Arm
from grader.race import race

PACKAGE = "fast-pytorch-training"
TORCH_RANGE = ((2, 9), (3, 0))  # from, below; as in pyproject.toml
INSTALL = f"{sys.executable} -m pip install"


class Line(NamedTuple):
    """One finding. A `problem` keeps the course from running, a `note` only limits it."""

    status: Literal["ok", "note", "problem"]
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{self.status:8}{self.text}"
        return f"{line}\n{'':8}-> {self.remedy}" if self.remedy else line


def doctor() -> int:
    """Print what every check finds; returns 1 if there is a problem, 0 otherwise."""
    found: Counter[str] = Counter()
    for check in CHECKS:
        for line in check():
            print(line, flush=True)
            found[line.status] += 1
    return 1 if found["problem"] else 0


def python() -> Iterator[Line]:
    yield Line("ok", f"Python {platform.python_version()} ({sys.executable})")


def pytorch() -> Iterator[Line]:
    build = f"built for CUDA {torch.version.cuda}" if torch.version.cuda else "built without CUDA"
    text = f"PyTorch {torch.__version__}, {build}"
    oldest, below = TORCH_RANGE
    major, minor = re.match(r"(\d+)\.(\d+)", torch.__version__).groups()
    if oldest <= (int(major), int(minor)) < below:
        yield Line("ok", text)
    else:
        yield Line("problem", text, f"outside of the course's range: {INSTALL} 'torch>=2.9,<3'")


def device() -> Iterator[Line]:
    with warnings.catch_warnings(action="ignore"):  # said below, in one line
        has_cuda = torch.cuda.is_available()
    if not has_cuda and _nvidia_driver():
        yield _unused_gpu()
    chosen = machine.pick_device("auto")
    yield Line("ok", f"{machine.describe(chosen)}; class {machine.device_class(chosen)}")
    if chosen.type != "cuda":
        yield Line("note", "no CUDA device: exercises that need one say so and are not graded here")
    # torch.cuda.is_bf16_supported() also counts emulation, which is slow.
    elif torch.cuda.get_device_capability(chosen) < (8, 0):
        yield Line("note", "bfloat16 is emulated on this GPU: mixed precision uses float16 here")


def _nvidia_driver() -> bool:
    return bool(shutil.which("nvidia-smi") or ctypes.util.find_library("cuda"))


def _unused_gpu() -> Line:
    """Why PyTorch sees no GPU on a machine that has NVIDIA's driver."""
    if torch.version.cuda is None:
        return Line(
            "note",
            "an NVIDIA driver is here, but this PyTorch is built without CUDA",
            f"remove it and install a CUDA build: {INSTALL} 'torch>=2.9,<3'",
        )
    try:
        torch.cuda.init()
        reason = "it gives no reason"
    except RuntimeError as error:
        reason = str(error).splitlines()[0]
    if "too old" in reason:
        return Line(
            "note",
            f"the NVIDIA driver is too old for this PyTorch (built for CUDA {torch.version.cuda})",
            "update the driver, or install a PyTorch built for the CUDA that nvidia-smi names",
        )
    return Line(
        "note",
        f"an NVIDIA driver is here, but PyTorch sees no GPU: {reason}",
        "see whether nvidia-smi lists a GPU, and whether CUDA_VISIBLE_DEVICES hides it",
    )


def cores() -> Iterator[Line]:
    if host.cores() == 1:
        yield Line("note", "1 core: loader workers and data parallelism cannot gain anything here")


def load() -> Iterator[Line]:
    busy, count = host.background_load(), host.cores()
    if busy is None:
        yield Line("note", "how busy this machine is cannot be told here")
    elif busy > count / 2:
        yield Line(
            "note",
            f"other programs keep {busy:.1f} of {count} cores busy",
            "close what you can: races take longer, and may end inconclusive (which costs nothing)",
        )
    else:
        yield Line("ok", f"other programs keep {busy:.1f} of {count} cores busy")


def folder() -> Iterator[Line]:
    var = records.var_folder()
    try:
        var.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=var):
            yield Line("ok", f"results go to {var}")
    except OSError as error:
        yield Line(
            "problem",
            f"cannot write to {var} ({error.strerror})",
            "give yourself write permission, or set GRADER_VAR to a folder of your own",
        )


def packages() -> Iterator[Line]:
    try:
        importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        yield Line(
            "problem",
            "this Python does not have the course's package: notebooks cannot import grader",
            f"in the course's folder: {INSTALL} -e '.[course]'",
        )
        return
    plain, course = _requirements()
    install = f"in the course's folder: {INSTALL} -e '.[course]'"
    missing = [name for name in plain if not _is_installed(name)]
    optional = [name for name in course if not _is_installed(name)]
    if missing:
        yield Line("problem", f"not installed: {', '.join(missing)}", install)
    if optional:
        yield Line(
            "note",
            f"not installed: {', '.join(optional)} (for JupyterLab, nbgrader and batch runs)",
            install,
        )
    if not missing and not optional:
        yield Line("ok", f"installed: {', '.join(plain + course)}")


def _requirements() -> tuple[list[str], list[str]]:
    """Names of what the package requires: always, and for the extra `course`."""
    plain, course = [], []
    for requirement in importlib.metadata.requires(PACKAGE) or []:
        name = re.match(r"[\w.-]+", requirement).group()
        _, _, marker = requirement.partition(";")
        if not marker:
            plain.append(name)
        elif re.search(r"""extra == ["']course["']""", marker):
            course.append(name)
    return plain, course


def _is_installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def exercises() -> Iterator[Line]:
    device_class = machine.device_class(machine.pick_device("auto"))
    try:
        known = sorted({record.exercise for record in records.load()})
    except ValueError as error:
        yield Line("problem", str(error))
        return
    goals = {exercise: records.goal_for(exercise, device_class) for exercise in known}
    if not any(goal.measured for goal in goals.values()):
        yield Line(
            "note",
            f"no measured record for {device_class} yet: every race needs 1.25x",
            "make measure writes this machine's own records, which give every exercise its goal",
        )
        return
    counted = [exercise for exercise, goal in goals.items() if not goal.raced]
    yield Line("ok", f"{len(known) - len(counted)} of {len(known)} exercises are raced here")
    if counted:
        yield Line("note", f"graded by their counts alone on {device_class}: {', '.join(counted)}")


def race_of_known_length() -> Iterator[Line]:
    """A fix that does two thirds of the work, which is 1.5 times as fast on any machine."""
    weight = torch.randn(160, 160) / 12

    def work(repeats: int) -> Callable:
        def step(x: torch.Tensor) -> torch.Tensor:
            for _ in range(repeats):
                x = torch.tanh(x @ weight)
            return x

        return step

    def case(seed: int) -> tuple[torch.Tensor]:
        return (torch.randn(96, 160),)

    device = torch.device("cpu")
    with machine.threads(1):
        verdict = race(Arm(work(30), case, device), Arm(work(20), case, device), 1.25)
    text = (
        f"a race of known length: {verdict.speedup:.2f} times as fast (1.5 is true), "
        f"{verdict.decision} after {len(verdict.heats)} heats and {verdict.seconds:.1f} s"
    )
    if verdict.decision == "reached":
        yield Line("ok", text)
    else:
        yield Line("note", text, "races may end inconclusive here: close other programs")


CHECKS: tuple[Callable[[], Iterator[Line]], ...] = (
    python,
    pytorch,
    device,
    cores,
    load,
    folder,
    packages,
    exercises,
    race_of_known_length,
)
