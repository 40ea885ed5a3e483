"""Run one version of a task under one seed, and notice everything that it did besides its job."""

import sysconfig
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from grader import machine
from grader.audit import StepAudit
from grader.compare import Difference, difference, state_of
from grader.judging import Refused

LIBRARIES = (
    str(Path(__file__).parent),
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    "<frozen",
)


@dataclass(frozen=True)
class Trial:
    """One call of a version under one seed, with what it returned and what it left behind."""

    seed: int
    arguments: tuple
    result: Any
    before: dict  # the tensors of the arguments, copied
    after: dict
    seeded: dict  # the generators before and after the call
    generators: dict
    counts: dict[str, float] = field(default_factory=dict)


def run(
    function: Callable,
    case: Callable[[int], tuple],
    seed: int,
    device: torch.device,
    *,
    names: Sequence[str] = (),
    audited: bool = False,
) -> Trial:
    """Call `function(*case(seed))`. The tensors of the arguments called `names` are looked at."""
    arguments = case(seed)
    before = state_of(arguments, names)
    audit = StepAudit(*arguments, device=device) if audited else None
    machine.seed_everything(seed)
    seeded = machine.generators()
    if audit is None:
        result = function(*arguments)
    else:
        with audit:
            result = function(*arguments)
    machine.synchronize(device)
    return Trial(
        seed=seed,
        arguments=arguments,
        result=result,
        before=before,
        after=state_of(arguments, names),
        seeded=seeded,
        generators=machine.generators(),
        counts=dict(audit.counts) if audit else {},
    )


def run_fix(function: Callable, *args, **kwargs) -> Trial:
    """`run` for code that may do anything: raises Refused for an error or a switch left changed."""
    switches = machine.global_state()
    try:
        trial = run(function, *args, **kwargs)
    except (Exception, SystemExit) as error:
        machine.restore_global_state(switches)
        raise refused_error(error) from error
    changed = machine.restore_global_state(switches)
    if changed:
        name, (was, found) = next(iter(changed.items()))
        raise Refused(
            "global state changed",
            f"Your code changed a global switch ({name}, from {was} to {found}) and left it so. "
            "Everything that runs later would be affected.",
            advice="Use a context manager, or put the old value back.",
        )
    return trial


def refused_error(error: BaseException) -> Refused:
    """An exception from the learner's code, with the lines of it that are theirs."""
    first = (str(error).splitlines() or [""])[0]
    return Refused(
        "error",
        f"Your code stopped with {type(error).__name__}: {first}",
        details=own_traceback(error),
        details_title="Where",
    )


def own_traceback(error: BaseException) -> str:
    """The traceback without the frames of libraries and of the grader; ends in the own line."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(LIBRARIES)
    ]
    lines = [f"line {f.lineno}, in {f.name}\n    {f.line}" for f in frames]
    return "\n".join([*lines, "".join(traceback.format_exception_only(error)).strip()])


def wrong_answer(found: Difference, seed: int, *, of_slow: bool = True) -> Refused:
    """`of_slow`: whether the right answer is the slow version's."""
    right = "the answer of the slow version" if of_slow else "the right answer"
    advice = "call both versions" if of_slow else "call your version"
    return Refused(
        "wrong answer",
        f"Not {right}. The result {found} (seed {seed}).",
        advice=f"To look into it, {advice} with the case of that seed.",
    )


def compare_arguments(expected: Trial, actual: Trial, tolerance: float) -> None:
    """Raise Refused unless both calls left their arguments in the same state."""
    if not difference(expected.after, actual.after, tolerance):
        return
    for name, before in expected.before.items():
        untouched = difference(before, expected.after.get(name), 0.0) is None
        if untouched and difference(before, actual.after.get(name), 0.0):
            raise Refused(
                "inputs changed",
                f"Your code changed its input {name}, which the slow version leaves as it is "
                f"(seed {actual.seed}).",
                advice="Work on a copy, or avoid the operation that writes in place.",
            )
    compare_states(expected.after, actual.after, tolerance, actual.seed)


def compare_states(expected: dict, actual: dict, tolerance: float, seed: int) -> None:
    """Raise Refused unless the arguments are the same after the call."""
    found = difference(expected, actual, tolerance)
    if found:
        raise Refused(
            "wrong answer", f"After the call {found.where.strip('[]')} {found.what} (seed {seed})."
        )


def refuse_reseeding(pairs: Sequence[tuple[Trial, Trial]]) -> None:
    """Raise Refused if a fix touches generators that the slow version leaves alone, or seeds them.

    `pairs`: (slow version, fix) under several seeds.
    """
    for slow, fix in pairs:
        used = machine.differing_generators(slow.seeded, slow.generators)
        drawn = machine.differing_generators(fix.seeded, fix.generators) - used
        if drawn:
            raise _generators_changed("draws from", drawn)
    first, *others = (fix.generators for _, fix in pairs)
    if others:
        moved = set.union(*(machine.differing_generators(first, other) for other in others))
        # Every call starts from another seed: a generator that always ends alike was seeded.
        seeded = {"random", "numpy.random", "torch"} - moved
        if seeded:
            raise _generators_changed("seeds", seeded)


def _generators_changed(verb: str, names: set[str]) -> Refused:
    return Refused(
        "global state changed",
        f"Your code {verb} global random generators ({', '.join(sorted(names))}), which the slow "
        "version does not: "
        "whatever draws from them later would be affected.",
        advice="Use a torch.Generator of your own, or leave the seed to the caller.",
    )
