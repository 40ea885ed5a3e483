"""Grades one answer in processes that it watches from outside.

The referee owns the clock, the coin, the seeds and the salt. It imports no PyTorch and unpickles
nothing. The slow version runs in a worker that never meets the learner's code; the fix in another,
which is stopped while the slow version runs. What the fix must return is what the slow version
returns for the same seed and salt, and the judgement is that of the practice cells
(`grader.judging`).
"""

import contextlib
import json
import math
import os
import secrets
import select
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader import race, records
from grader.judging import Refused, Terms
from grader.official.sandbox import Sandbox
from grader.race import Block, Heat, Verdict
from grader.score import Part, Row, Score

START = 90.0  # seconds in which a worker must have imported PyTorch and the task
REPLY = 60.0  # seconds for everything else that it is asked
SECONDS_PER_EXERCISE = 300  # an honest answer takes up to 40 on a quiet machine
LONGEST = 2**30  # bytes of one reply
TEXT = 4000  # characters of a message that a card shows
BUDGET = 20.0  # seconds of a race: twice that of practice, as every heat is also looked at
SHOWN = 3  # calls of each heat whose ends are looked at in full, as long as that takes less than
SHOWING = 0.15  # seconds; one always is
DISTURBED = 1.5  # the slow version this many times slower than alone: the fix may have seen to that
ENDED = "Python ended before it answered."
UNASKED = "Something was answered that was not asked."
# What a fix can say of itself; everything else about it is said by others.
_OWN_WORD = ("not attempted", "error", "wrong answer", "global state changed")


class Rejected(Refused):
    """A worker that did something else than answer."""

    def __init__(self, reason: str) -> None:
        super().__init__("rejected", reason)


class RefereeError(RuntimeError):
    """The course's own half failed: nothing can be said about the answer."""


class Worker:
    """A process in a sandbox of its own that answers questions, and is stopped between them.

    `deadline`, by `time.monotonic`: when it has had its time.
    """

    def __init__(self, sandbox: Sandbox, *, trusted: bool) -> None:
        self.sandbox, self.trusted = sandbox, trusted
        self.deadline = math.inf
        read, self._send = os.pipe()
        self._receive, write = os.pipe()
        program = [sys.executable, "-I", "-m", "grader.official.worker", str(read), str(write)]
        self.process = subprocess.Popen(
            sandbox.command(program),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(read, write),
            start_new_session=True,
            env=sandbox.environment(),
        )
        os.close(read)
        os.close(write)
        self.pid: int | None = None  # of Python, once it has said that it is there

    def meet(self) -> None:
        """Wait until it is there; no code of the learner has run in it yet."""
        try:
            self._reply(START)
        except Rejected as why:
            raise RefereeError(f"a worker does not start: {why.message}") from None
        # In a sandbox the process that was started is not Python, but the last of its descendants.
        self.pid = ([self.process.pid] + descendants(self.process.pid))[-1]

    def ask(self, operation: str, *arguments: Any, timeout: float | None = None) -> Any:
        """The answer to one question.

        Raises Refused where the fix, or what it did, is no good, or has had its time; RefereeError
        where a trusted worker fails.
        """
        return self.ask_timed(operation, *arguments, timeout=timeout)[0]

    def ask_timed(
        self, operation: str, *arguments: Any, timeout: float | None = None
    ) -> tuple[Any, float, float]:
        """As `ask`; also the wall and the processor seconds between question and answer."""
        if self.pid is None:
            self.meet()
        line = json.dumps([operation, *arguments]).encode() + b"\n"
        left = self.deadline - time.monotonic()
        try:
            return self._asked(line, max(0.0, min(REPLY if timeout is None else timeout, left)))
        except Refused as why:
            if time.monotonic() >= self.deadline:
                raise Refused(
                    "inconclusive", f"Grading took longer than {SECONDS_PER_EXERCISE} s."
                ) from None
            if not self.trusted:
                raise _of_a_fix(why) from None
            if isinstance(why, Rejected) or why.outcome == "error":
                reason = "\n".join([why.message, *why.card.values()])
                raise RefereeError(f"{operation}: {reason}") from None
            raise

    def _asked(self, line: bytes, timeout: float) -> tuple[Any, float, float]:
        if select.select([self._receive], [], [], 0)[0]:
            raise Rejected(UNASKED)
        with self._awake():
            wall, cpu = time.perf_counter(), self.cpu_seconds()
            try:
                while line:
                    line = line[os.write(self._send, line) :]
            except OSError:
                raise Rejected(ENDED) from None
            reply = self._reply(timeout)
            wall = time.perf_counter() - wall
            if reply.keys() == {"done"}:
                return reply["done"], wall, self.cpu_seconds() - cpu
        match reply:
            case {"refused": [str(outcome), str(message), list(rows), dict(card)]}:
                raise _refused(outcome, message, rows, card)
            case {"failed": str(message), "where": str(where)}:
                raise Refused("error", message, details=where, details_title="Where")
        raise Rejected(UNASKED)

    def _reply(self, timeout: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        line = bytearray()
        while not line.endswith(b"\n"):
            if not select.select([self._receive], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Rejected(f"No answer within {timeout:.0f} s.")
            part = os.read(self._receive, 2**20)
            if not part:
                raise Rejected(ENDED)
            line += part
            if len(line) > LONGEST:
                raise Rejected("An answer without an end.")
        if line.count(b"\n") != 1:
            raise Rejected("More than one answer to one question.")
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise Rejected(UNASKED) from None
        if not isinstance(reply, dict):
            raise Rejected(UNASKED)
        return reply

    @contextlib.contextmanager
    def _awake(self) -> Iterator[None]:
        self._signal(signal.SIGCONT)
        try:
            yield
        finally:
            self._signal(signal.SIGSTOP)

    def _signal(self, number: int) -> None:
        """To the process and everything that it started."""
        pids = self.sandbox.members()
        if pids is None:
            pids = [self.process.pid, *descendants(self.process.pid)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def cpu_seconds(self) -> float:
        """Processor time of the process, as the kernel counts it."""
        try:
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            raise Rejected(ENDED) from None

    def close(self) -> None:
        self._signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._send)
        os.close(self._receive)
        self.sandbox.close()


def descendants(pid: int) -> list[int]:
    """The processes that `pid` started, and those that they started."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # the process has just ended
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            children.setdefault(int(parent), []).append(int(folder.name))
    found, open_ends = [], [pid]
    while open_ends:
        new = children.get(open_ends.pop(), [])
        found += new
        open_ends += new
    return found


def _of_a_fix(why: Refused) -> Refused:
    """What a fix says of itself, as far as it can be believed and shown."""
    is_text = all(isinstance(text, str) for text in why.card.values())
    if why.outcome not in (*_OWN_WORD, "rejected") or why.rows or not is_text:
        return Rejected(UNASKED)
    why.message = why.message[:TEXT]
    why.card = {name: text[-TEXT:] for name, text in why.card.items()}
    return why


def _refused(outcome: str, message: str, rows: list, card: dict) -> Refused:
    try:
        return Refused(outcome, message, rows=[Row(**row) for row in rows], **card)
    except TypeError:
        return Rejected(UNASKED)


class _Arm:
    """One side of a race, for `grader.race`."""

    def __init__(self, worker: Worker, race: "_Race") -> None:
        self.worker, self.race = worker, race
        self.seeds: list[int] = []
        self.committed: list[str] = []

    def stage(self, seeds: Sequence[int]) -> None:
        self.seeds = list(seeds)
        self.race.salt = secrets.randbits(31)  # the last of both stages counts
        self.worker.ask("stage", self.seeds)

    def run(self) -> Block:
        worker = self.worker
        worker.ask("warm_up")
        committed, wall, cpu = worker.ask_timed("go", self.race.salt)
        if not isinstance(committed, list) or len(committed) != len(self.seeds):
            raise Rejected(UNASKED)
        self.committed = committed
        return Block(max(cpu if self.race.clock == "cpu" else wall, 1e-9), max(wall, 1e-9))


class _Race:
    """The races of one fix against the slow version."""

    def __init__(self, baseline: Worker, clock: str, answered: bool) -> None:
        self.clock, self.answered = clock, answered
        self.salt = 0
        self.slow = _Arm(baseline, self)
        self.fix: _Arm | None = None
        self.alone = math.inf
        self.verdicts: list[Verdict] = []

    def time_alone(self) -> None:
        """The slow version while no code of the learner runs."""
        seconds = []
        for _ in range(5):
            self.slow.stage([secrets.randbits(31) for _ in range(4)])
            seconds.append(self.slow.run().seconds / 4)
        self.alone = statistics.median(seconds)

    def run(self, goal: float) -> Verdict:
        verdict = self._raced(goal)
        if self._is_disturbed(verdict):  # by the fix, or the machine is slower than it was
            before = self.alone
            self.time_alone()
            self.alone = max(before, self.alone)
            verdict = self._raced(goal)
        if self._is_disturbed(verdict):
            verdict = self.verdicts[-1] = replace(verdict, decision="inconclusive")
        return verdict

    def _raced(self, goal: float) -> Verdict:
        look = self._look_at_answers
        verdict = race.race(self.slow, self.fix, goal, budget=BUDGET, after_heat=look)
        self.verdicts.append(verdict)
        return verdict

    def _is_disturbed(self, verdict: Verdict) -> bool:
        """Whether the goal was reached against a slow version that was slower than alone."""
        slow = statistics.median(heat.slow for heat in verdict.heats) if verdict.heats else 0.0
        return verdict.decision == "reached" and slow > DISTURBED * self.alone

    def _look_at_answers(self, heat: Heat, number: int) -> None:
        if self.answered:
            numbers, most = range(len(self.fix.seeds)), SHOWN
        else:  # only what the slow version has done as well, which can take long
            numbers, most = range(min(len(self.fix.seeds), len(self.slow.seeds))), 1
        end = time.monotonic() + SHOWING
        for which in secrets.SystemRandom().sample(numbers, min(most, len(numbers))):
            shown = self.fix.worker.ask("reveal", which)
            seed, committed = self.fix.seeds[which], self.fix.committed[which]
            self.slow.worker.ask("match", which, seed, shown, committed)
            if time.monotonic() > end:
                return


@dataclass(frozen=True)
class Grading:
    """What became of one exercise: the scores of its cells, and what they rest on."""

    exercise: str
    scores: dict[Part, Score]
    verdicts: list[Verdict]
    seeds: list[int]
    seconds: float
    facts: dict[str, Any]  # device, versions, sandbox


class Referee:
    """Grades answers to the exercises of one released notebook, one after the other.

    The worker with the slow version is kept: it meets nothing of the learners but their answers'
    numbers. Each answer gets a new worker. Raises RefereeError, also from `grade`, where the slow
    version itself cannot be run. Raises SandboxError where there is no sandbox; `sandboxed=False`
    does without.
    """

    def __init__(self, notebook: Path, *, sandboxed: bool = True) -> None:
        self.notebook, self.sandboxed = str(notebook.resolve()), sandboxed
        self._baseline = self._worker(trusted=True)
        self._next = self._worker(trusted=False)
        try:
            self._facts = self._baseline.ask("load", self.notebook, timeout=START)
        except RefereeError:
            self.close()
            raise
        self.cells: dict[str, dict[Part, str]] = {
            exercise: facts["cells"] for exercise, facts in self._facts.items()
        }

    def close(self) -> None:
        self._baseline.close()
        self._next.close()

    @contextlib.contextmanager
    def _candidate(self) -> Iterator[Worker]:
        """A worker that has met no answer yet.

        It was started when the one before it had ended, and so could import PyTorch while the
        submission was prepared.
        """
        try:
            self._next.meet()
            yield self._next
        finally:
            self._next.close()
            self._next = self._worker(trusted=False)

    def _worker(self, *, trusted: bool) -> Worker:
        # Of the course nothing but the package and the folder of the released notebook.
        folder = Path(self.notebook).parent
        return Worker(Sandbox(readable=[folder], wanted=self.sandboxed), trusted=trusted)

    def grade(self, exercise: str, answers: Mapping[str, str]) -> Grading:
        """`answers`: sources, by the names of the solution cells; others keep the starter."""
        start, facts, baseline = time.monotonic(), self._facts[exercise], self._baseline
        terms = self._terms(exercise)
        run = _Race(baseline, facts["clock"], facts["answered"])
        scores: dict[Part, Score] = {}
        seeds: list[int] = []
        with self._candidate() as candidate:
            candidate.deadline = start + SECONDS_PER_EXERCISE
            baseline.ask("choose", exercise)
            baseline.ask("slow")
            if "race" in terms.points and not terms.not_raced:
                run.time_alone()
            try:
                candidate.ask("load", self.notebook, timeout=START)
                candidate.ask("choose", exercise)
                candidate.ask("attempt", self._own(exercise, answers), timeout=START)
                rows = self._evidence(candidate, facts, seeds)
                scores["check"] = terms.checked(rows)
                if "race" in terms.points:
                    run.fix = _Arm(candidate, run)
                    scores["race"] = terms.raced(rows, run.run)
            except Refused as why:
                left = [part for part in terms.points if part not in scores]
                scores |= {part: terms.refused(part, why) for part in left}
        seconds = time.monotonic() - start
        facts = {"device": facts["device"], "versions": facts["versions"]}
        facts["sandbox"] = candidate.sandbox.description
        return Grading(exercise, scores, run.verdicts, seeds, seconds, facts)

    def _terms(self, exercise: str) -> Terms:
        facts = self._facts[exercise]
        points = {part: points for part, points in facts["points"].items() if points}
        goal = records.Goal(*facts["goal"])
        return Terms(exercise, points, goal, facts["not_raced"], facts["cores"])

    def _own(self, exercise: str, answers: Mapping[str, str]) -> dict[str, str]:
        """The answer to this exercise alone: no code for one task meets another."""
        name = self.cells[exercise]["check"].removesuffix("-check")
        return {name: answers[name]} if name in answers else {}

    def _evidence(self, candidate: Worker, facts: Mapping[str, Any], seeds: list[int]) -> list[Row]:
        """What `Exercise.check` gathers, from two processes; their seeds are added to `seeds`."""
        baseline = self._baseline
        baseline.ask("forget")
        for _ in range(facts["seeds"]):
            seeds.append(secrets.randbits(31))
            baseline.ask("compare", seeds[-1], candidate.ask("observe", seeds[-1]))
        baseline.ask("reseeding")
        if not facts["counted"]:
            return []
        seeds.append(secrets.randbits(31))
        rows = baseline.ask("rows", seeds[-1], candidate.ask("count", seeds[-1]))
        return [Row(**row) for row in rows]
