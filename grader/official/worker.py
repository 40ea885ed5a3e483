"""One side of an official grading: one exercise in a process of its own, which does as it is asked.

usage: python -I -m grader.official.worker READ WRITE    (descriptors: requests, replies)

The referee starts two: one that never meets the learner's code and calls the slow version, and one
that loads the learner's answer and calls that. A request is a JSON line [operation, argument, …];
the reply is {"done": value}, {"refused": what the card says} or {"failed": reason}. The first
reply, to nothing, says that it is there.

The process knows nothing worth forging: it owns no clock, no seed before it is used, and no right
answer but where it never meets the learner's code.
"""

import contextlib
import gc
import hashlib
import json
import os
import platform
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import torch

from grader import machine, notebook, trial
from grader.arms import Arm
from grader.audit import StepAudit
from grader.capture import TAIL
from grader.compare import state_of
from grader.exercise import Exercise
from grader.judging import Refused, missed
from grader.limits import number
from grader.official import codec
from grader.official.guard import Guard
from grader.score import Row
from grader.trial import Trial

# What a commitment covers, at places that the salt decides.
MOST_TENSORS = 8
SAMPLE = 4096  # elements of one tensor


class Worker:
    """The operations by name. `load` comes first, then `choose`, then `attempt` or `slow`."""

    def __init__(self, printed: Any, reject: Callable[[str], None]) -> None:
        self.printed_file, self.reject = printed, reject
        self.threads = torch.get_num_threads()
        self.guard: Guard | None = None

    # -- set-up -------------------------------------------------------------------------------

    def load(self, path: str) -> dict[str, dict[str, Any]]:
        """Run the tasks' cells; returns what is known of every exercise of the notebook."""
        self.path = Path(path)
        self.calls = notebook.load(path)
        self.modules_beside = self.calls[0].in_use()
        self.modules_beside.__enter__()  # for good: this process has no other notebook
        found: dict[str, dict[str, Any]] = {}
        for call in self.calls:
            facts = found.setdefault(call.exercise.id, facts_of(call.exercise))
            facts["cells"][call.part] = call.grade_id
        return found

    def choose(self, exercise: str) -> None:
        """The exercise that everything after this is about."""
        self.call = next(call for call in self.calls if call.exercise.id == exercise)
        self.exercise = self.call.exercise
        threads = 1 if self.exercise.device.type == "cpu" else self.threads
        torch.set_num_threads(threads)

    def slow(self) -> None:
        self.version = self.exercise.use(self.exercise.slow)
        self._ready()

    def attempt(self, answers: Mapping[str, str]) -> None:
        """Take the fix from these sources, by solution cell; none is the starter."""
        folder, task = str(self.path.parent), f"<{self.path.stem}, load "
        ends = tuple(f", cell {name}>" for name in answers)

        def own(file: str) -> bool:
            known = file.startswith((*trial.LIBRARIES, folder))
            return not known and (not file.startswith(task) or file.endswith(ends))

        self.guard = Guard(self.reject, own, self.call.task, self.exercise)
        for cell, source in answers.items():
            self.call = self.call.answered(cell, source)
        self.version = self.exercise.attempt(self.call.fix)
        self._ready()

    def _ready(self) -> None:
        exercise = self.exercise
        self.arm = Arm(self._call, exercise.case, exercise.device, exercise.clock)
        self.salt = 0
        self.settled = False
        self.pairs: list[tuple[Trial, Trial]] = []

    # -- the check ----------------------------------------------------------------------------

    def observe(self, seed: int) -> dict[str, Any]:
        """One call of the fix: its answer, and the state of everything else after it."""
        end = self.exercise.observe(self.version, seed)
        states = {name: getattr(end, name) for name in ("after", "seeded", "generators")}
        return codec.encode({"result": end.result, **states})

    def forget(self) -> None:
        """What follows belongs to another fix."""
        self.pairs = []

    def compare(self, seed: int, observed: Any) -> None:
        """Is what the other worker observed the same as with the slow version?"""
        with of_another_form():
            actual = Trial(seed=seed, arguments=(), before={}, **codec.decode(observed))
        expected = self.exercise.compare(self.version, actual, codec.plain)
        self.pairs.append((expected, actual))

    def reseeding(self) -> None:
        """Did the fix, in all that was compared, leave generators alone?"""
        with of_another_form():
            trial.refuse_reseeding(self.pairs)

    def count(self, seed: int) -> dict[str, float]:
        return self.exercise.count(self.version, seed)

    def rows(self, seed: int, yours: dict[str, float]) -> list[dict]:
        with of_another_form():
            yours = {name: float(yours[name]) for name in self.exercise.counts}
        rows = self.exercise.rows(self.version, seed, yours)
        self.unmet = {row.what for row in rows if row.met is False}
        return [asdict(row) for row in rows]

    # -- the race -----------------------------------------------------------------------------

    def stage(self, seeds: list[int]) -> None:
        if not self.settled:  # as in grader.race: collections before blocks then cost nothing
            gc.collect()
            gc.freeze()
            self.settled = True
        self.arm.stage(seeds)
        self.arm.calls = [with_own_inputs(arguments) for arguments in self.arm.calls]

    def warm_up(self) -> None:
        self.arm.warm_up()

    def go(self, salt: int) -> list[str]:
        """Timed by the referee: salt the inputs, make all calls, commit to how they ended."""
        for arguments in self.arm.calls:
            salt_inputs(arguments, salt)
        self.salt = salt
        self.arm.run()
        return [commitment(self._end(number), salt) for number in range(len(self.arm.calls))]

    def reveal(self, which: int) -> Any:
        return codec.encode(self._end(which) | {"evidence": self._evidence(which)})

    def match(self, which: int, seed: int, revealed: Any, committed: str) -> None:
        """Is this what was committed to, and how a call of the slow version ends?"""
        with of_another_form():
            given = codec.decode(revealed)
            evidence = {str(name): float(value) for name, value in given.pop("evidence").items()}
            kept = commitment(given, self.salt) == committed
            answer, after = given["answer"], given["after"]
        if not kept:
            raise Refused("rejected", "The answer shown is not the one that the clock waited for.")
        exercise = self.exercise
        if which < len(self.arm.calls):
            right = self._end(which)
        else:
            arguments = self._salted_case(seed)
            right = self._end_of(arguments, self._call(*arguments))
        if exercise.expected:
            right["answer"] = exercise.expected(*self._salted_case(seed))
        if right["answer"] is not None:
            exercise.compare_answers(codec.plain(right["answer"]), answer, seed)
        trial.compare_states(right["after"], after, exercise.tolerance, seed)
        if exercise.answer is None:
            self._keeps_to(self._evidence(which), evidence)

    def _evidence(self, which: int) -> Mapping[str, float]:
        """What says that a call was right where no answer does; without the audit's counts."""
        exercise = self.exercise
        if exercise.answer is not None:
            return {}
        return exercise.evidence(self.arm.results[which], self.arm.calls[which])

    def _keeps_to(self, theirs: Mapping[str, float], yours: Mapping[str, float]) -> None:
        """Does a call of the race do all that was done in the check?"""
        for name, value in theirs.items():
            limit = self.exercise.counts[name]
            if name not in yours:
                raise Refused("rejected", f"A malformed answer: no {name}")
            if name not in self.unmet and not limit.met(yours[name], value):
                below = yours[name] < limit.bound(value)
                row = Row(name, limit.describe(value), number(yours[name]), "", False, below)
                outcome, message = missed(row)
                raise Refused(outcome, f"In the race: {message}", rows=[row])

    def _salted_case(self, seed: int) -> tuple:
        arguments = with_own_inputs(self.exercise.case(seed))
        salt_inputs(arguments, self.salt)
        return arguments

    def _call(self, *arguments: Any) -> Any:
        # Every call draws the same numbers, whichever calls were made before.
        machine.seed_everything(self.salt)
        return self.version(*arguments)

    def _end(self, which: int) -> dict[str, Any]:
        return self._end_of(self.arm.calls[which], self.arm.results[which])

    def _end_of(self, arguments: tuple, result: Any) -> dict[str, Any]:
        exercise = self.exercise
        return {
            "answer": exercise.answer(result) if exercise.answer else None,
            "after": state_of(arguments, exercise.watched),
        }

    # -- for the card -------------------------------------------------------------------------

    def printed(self) -> str:
        """The last that was printed."""
        sys.stdout.flush()
        sys.stderr.flush()
        self.printed_file.seek(0, os.SEEK_END)
        self.printed_file.seek(max(0, self.printed_file.tell() - TAIL))
        return self.printed_file.read().decode(errors="replace").strip()


def facts_of(exercise: Exercise) -> dict[str, Any]:
    """What the referee has to know. "cells": part -> grade_id, to be filled in."""
    terms = exercise.terms
    return {
        "cells": {},
        "points": dict(terms.points),
        "goal": list(terms.goal),
        "not_raced": terms.not_raced,
        "cores": terms.cores,
        "seeds": exercise.seeds,
        "counted": bool(exercise.counts),
        "answered": exercise.answer is not None,
        "clock": exercise.clock,
        "device": machine.describe(exercise.device),
        "versions": {"torch": torch.__version__, "python": platform.python_version()},
    }


@contextlib.contextmanager
def of_another_form() -> Iterator[None]:
    """Errors in the block are those of the other worker, which sent something malformed."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        raise Refused("rejected", f"A malformed answer: {error}") from error


def with_own_inputs(arguments: tuple) -> tuple:
    """The arguments with copies of the tensors that can be salted: a case may share its data."""
    copies: dict[int, torch.Tensor] = {}

    def own(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            if not _can_be_salted(value):
                return value
            return copies.setdefault(id(value), value.clone())
        if type(value) is dict:
            return {key: own(item) for key, item in value.items()}
        return type(value)(map(own, value)) if type(value) in (list, tuple) else value

    return own(arguments)


def salt_inputs(value: Any, salt: int) -> None:
    """Change some numbers of the inputs, in place, in a way that nobody can know before.

    Every eighth element of a floating-point tensor is multiplied, which keeps zeros and shapes: the
    work to be done stays the same.
    """
    draw = random.Random(salt)
    with torch.no_grad():
        for tensor in {id(tensor): tensor for tensor in _salted(value)}.values():
            tensor.view(-1)[draw.randrange(8) :: 8] *= draw.uniform(1.05, 1.2)


def _salted(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        if _can_be_salted(value):
            yield value
    elif type(value) in (list, tuple, dict):
        for item in value.values() if type(value) is dict else value:
            yield from _salted(item)


def _can_be_salted(tensor: torch.Tensor) -> bool:
    """Pinned memory is part of some tasks, and a copy would not be pinned."""
    plain = type(tensor) is torch.Tensor and tensor.layout == torch.strided
    return (
        plain
        and tensor.is_floating_point()
        and tensor.is_contiguous()
        and not tensor.requires_grad
        and not (torch.cuda.is_available() and tensor.is_pinned())
    )


def commitment(value: Any, salt: int) -> str:
    """A hash that costs little: of some tensors, and of large ones a sample, at secret places."""
    draw = random.Random(salt)
    tensors = list(_tensors(value))
    digest = hashlib.blake2b(digest_size=16)
    for tensor in draw.sample(tensors, min(MOST_TENSORS, len(tensors))):
        flat = tensor.detach().reshape(-1)
        if flat.numel() > SAMPLE:
            step = flat.numel() // SAMPLE
            flat = flat[draw.randrange(step) :: step]
        digest.update(flat.cpu().contiguous().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.nn.Module):
        value = value.state_dict()
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, torch.Tensor):
        yield value
    elif value is not None and not isinstance(value, str):
        yield torch.as_tensor(value)


def main(read: str, write: str) -> None:
    requests, replies = os.fdopen(int(read), "r"), os.fdopen(int(write), "w")
    for stream in (requests, replies):  # none of it for processes that the code starts
        os.set_inheritable(stream.fileno(), False)
    with tempfile.TemporaryFile() as printed:
        for descriptor in (1, 2):
            os.dup2(printed.fileno(), descriptor)

        def reply(what: dict[str, Any]) -> None:
            replies.write(json.dumps(what) + "\n")
            replies.flush()

        def reject(reason: str) -> None:
            reply({"refused": ["rejected", reason, [], {}]})
            os._exit(1)

        worker = Worker(printed, reject)
        with StepAudit("cpu"):  # imports much of PyTorch, the first time
            torch.zeros(())
        reply({"done": None})
        for line in requests:
            reply(answered(worker, json.loads(line)))


def answered(worker: Worker, request: list) -> dict[str, Any]:
    operation, *arguments = request
    try:
        value = getattr(worker, operation)(*arguments)
        if worker.guard and operation != "go":  # which is timed
            worker.guard.check()
        return {"done": value}
    except Refused as why:
        rows = [asdict(row) for row in why.rows]
        return {"refused": [why.outcome, why.message, rows, why.card]}
    except (Exception, SystemExit) as error:
        why = trial.refused_error(error)
        return {"failed": why.message, "where": why.card["details"]}


if __name__ == "__main__":
    main(*sys.argv[1:])
