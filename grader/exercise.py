"""`Exercise`: one task, checked by its answer and counts and raced against a clock."""

import inspect
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch

from grader import machine, records, trial
from grader.arms import Arm, Clock
from grader.capture import Captured, captured
from grader.compare import difference, own_container
from grader.judging import Refused, Terms, missed
from grader.limits import Limit, number
from grader.progress import Progress
from grader.race import Heat, Verdict, heats, race
from grader.score import Part, Row, Score
from grader.source import same_code
from grader.trial import Trial


class Exercise:
    """One task: a slow version, what a right fix must reproduce, and what it must reach.

    id            "NN-technique/name"
    slow          called exactly as the fix is called
    case          seed -> fresh arguments (a tuple) for one call
    points        of the two graded cells (check, race); (n, 0) where nothing is raced
    answer        result -> what a right fix must reproduce; None where the evidence says it all
    tolerance     relative to the largest value of each tensor (grader.compare)
    counts        name -> Limit; a name of StepAudit.counts or one that `evidence` returns.
                  Counts that the slow version meets are rules, which must be kept; the others
                  are goals, which share the points of the check.
    evidence      (result, arguments) -> {name: number}, counts that follow from the result
    use           fix -> the function that is called with the case, for a fix that builds
                  something which is used many times (a loader, an optimizer)
    expected      *arguments -> the right answer, where the slow version's is wrong
    clock         "wall", or "cpu" for single-threaded compute that never waits; on a device
                  other than the CPU always the wall clock
    cores         how many cores a race on a CPU needs
    no_race       why no clock can judge this on this machine (a CPU that emulates bfloat16); the
                  points of the race then follow the counts. Empty: raced
    device        where the case puts its tensors
    same_inputs   whether arguments must end as the slow version leaves them
    seeds         how many secret seeds a check compares

    Global switches and generators must be left as the slow version leaves them. Raises ValueError
    for a task that could not be judged.
    """

    def __init__(
        self,
        id: str,
        slow: Callable,
        case: Callable[[int], tuple],
        *,
        points: tuple[int, int],
        answer: Callable[[Any], Any] | None = lambda result: result,
        tolerance: float = 1e-4,
        counts: Mapping[str, Limit] | None = None,
        evidence: Callable[[Any, tuple], Mapping[str, float]] | None = None,
        use: Callable[[Callable], Callable] | None = None,
        expected: Callable | None = None,
        clock: Clock = "wall",
        cores: int = 1,
        no_race: str = "",
        device: torch.device | str = "cpu",
        same_inputs: bool = True,
        seeds: int = 3,
    ) -> None:
        if answer is None and not counts:
            raise ValueError(f"{id}: without an answer, counts have to say what is right")
        if expected is None and not counts:
            raise ValueError(f"{id}: the slow version already meets everything: add counts")
        self.id, self.slow, self.case = id, slow, case
        self.points: dict[Part, int] = {"check": points[0], "race": points[1]}
        self.answer, self.tolerance, self.expected = answer, tolerance, expected
        self.counts, self.evidence = dict(counts or {}), evidence
        self.use = use or (lambda function: function)
        self.device = torch.device(device)
        self.clock: Clock = clock if self.device.type == "cpu" else "wall"
        self.cores, self.no_race, self.seeds = cores, no_race, seeds
        self.watched = list(inspect.signature(slow).parameters) if same_inputs else []

    @property
    def terms(self) -> Terms:
        """What its cells are judged by on this machine."""
        not_raced = self.no_race
        if not not_raced and self.device.type == "cpu" and machine.cores() < self.cores:
            not_raced = f"This race needs {self.cores} cores; this machine has {machine.cores()}."
        goal = records.goal_for(self.id, machine.device_class(self.device))
        return Terms(self.id, self.points, goal, not_raced, self.cores)

    def check(self, fix: Callable) -> Score:
        """Without a clock: the same answer, the rules kept, the goals of the counts reached."""
        return self._judged("check", lambda: self.terms.checked(self._examine(fix, self.seeds)))

    def race(self, fix: Callable) -> Score:
        """With a clock: as fast as the goal of this class of machine, beyond luck."""
        return self._judged(
            "race",
            lambda: self.terms.raced(self._examine(fix, 1), lambda goal: self._run_race(fix, goal)),
        )

    def measure(self, fix: Callable, date: str, count: int = 31) -> records.Record:
        """What the reference does here: `count` heats, their median and its 99 % interval.

        Raises RuntimeError if the fix is not a right one.
        """
        with self._at_work():
            try:
                self._examine(fix, 1)
            except Refused as refused:
                raise RuntimeError(f"{self.id}: {refused.outcome}: {refused.message}") from refused
            source = heats(self._arm(self.slow), self._arm(fix), goal=1.0)
            run = [next(source) for _ in range(count)]
            source.close()
        ratios = sorted(heat.speedup for heat in run)
        low, high = records.median_interval(ratios)
        return records.Record(
            exercise=self.id,
            device_class=machine.device_class(self.device),
            device=machine.describe(self.device),
            torch=torch.__version__,
            date=date,
            clock=self.clock,
            heats=count,
            median=round(ratios[count // 2], 3),
            low=round(low, 3),
            high=round(high, 3),
            slow_ms=round(sorted(heat.slow for heat in run)[count // 2] * 1000, 3),
        )

    # -- from a fix to a score ----------------------------------------------------------------

    def _judged(self, part: Part, judge: Callable[[], Score]) -> Score:
        """The score of one part, with what the code printed; points only for the fix itself."""
        with self._at_work() as printed:
            try:
                score = judge()
            except Refused as refused:
                score = self.terms.refused(part, refused)
        if printed.text and not score.card.details:
            score = score.with_details("Your code printed", printed.text)
        return score

    @contextmanager
    def _at_work(self) -> Iterator[Captured]:
        """One thread on a CPU; output caught; generators and switches put back afterwards."""
        generators, switches = machine.generators(), machine.global_state()
        try:
            threads = 1 if self.device.type == "cpu" else torch.get_num_threads()
            with machine.threads(threads), captured() as printed:
                yield printed
        finally:
            machine.restore_global_state(switches)
            machine.restore_generators(generators)

    # -- the check ----------------------------------------------------------------------------

    def _examine(self, fix: Callable, seeds: int) -> list[Row]:
        """The evidence on a fix whose answer is right; raises Refused for any other."""
        fix, slow = self.attempt(fix), self.use(self.slow)
        pairs = []
        for _ in range(seeds):
            actual = self.observe(fix, secrets.randbits(31))
            pairs.append((self.compare(slow, actual), actual))
        trial.refuse_reseeding(pairs)
        if not self.counts:
            return []
        seed = secrets.randbits(31)
        return self.rows(slow, seed, self.count(fix, seed))

    # Each of these five works on one version alone, so that a referee can call them in different
    # processes.

    def attempt(self, fix: Callable) -> Callable:
        """What is called with the case; raises Refused for the starter and for no function."""
        self._refuse_what_cannot_be_called(fix)
        if same_code(fix, self.slow):
            raise Refused(
                "not attempted",
                "The cell still holds the slow version that you started from.",
                advice="Change the function in the cell above, run that cell, then this one.",
            )
        try:
            return self.use(fix)
        except (Exception, SystemExit) as error:
            raise trial.refused_error(error) from error

    def observe(self, fix: Callable, seed: int) -> Trial:
        """One call of a fix, with the answer in the place of its result, and no arguments."""
        end = trial.run_fix(fix, self.case, seed, self.device, names=self.watched)
        return replace(end, result=self._read(end.result), arguments=())

    def _read(self, result: Any) -> Any:
        """The answer in what a fix returned."""
        if self.answer is None:
            return None
        try:
            answer = self.answer(result)
        except Exception as error:
            raise _unreadable(result) from error
        own = own_container(answer)
        if own:
            raise Refused(
                "wrong answer",
                f"The result holds a {own.__name__}, a class that decides what it holds when "
                "somebody looks.",
                advice="Return tensors, numbers, lists and dicts.",
            )
        return answer

    def compare(
        self, slow: Callable, actual: Trial, form: Callable[[Any], Any] = lambda answer: answer
    ) -> Trial:
        """The slow version under the same seed; raises Refused unless the fix did the same.

        `form` gives the right answer the form in which the other arrived.
        """
        expected = trial.run(slow, self.case, actual.seed, self.device, names=self.watched)
        if self.answer is not None:
            if self.expected:
                right = self.expected(*self.case(actual.seed))
            else:
                right = self.answer(expected.result)
            self.compare_answers(form(right), actual.result, actual.seed)
        trial.compare_arguments(expected, actual, self.tolerance)
        return expected

    def count(self, fix: Callable, seed: int) -> dict[str, float]:
        """The counts of one audited call of a fix."""
        end = trial.run_fix(fix, self.case, seed, self.device, audited=True)
        self._read(end.result)
        try:
            return self._counts(end)
        except Exception as error:
            raise _unreadable(end.result) from error

    def rows(self, slow: Callable, seed: int, yours: Mapping[str, float]) -> list[Row]:
        """Goals first, then rules, beside the slow version's counts; raises for a broken rule."""
        theirs = self._counts(trial.run(slow, self.case, seed, self.device, audited=True))
        goals, rules = [], []
        for name, limit in self.counts.items():
            if limit.device not in (None, self.device.type):
                rules.append(Row(name, f"needs {limit.device}", "not measurable here"))
                continue
            needed = limit.describe(theirs[name])
            met = limit.met(yours[name], theirs[name])
            is_rule = limit.met(theirs[name], theirs[name])
            below = not met and yours[name] < limit.bound(theirs[name])
            row = Row(name, needed, number(yours[name]), number(theirs[name]), met, below)
            if is_rule and not met:
                outcome, message = missed(row)
                raise Refused(outcome, message, rows=[row])
            (rules if is_rule else goals).append(row)
        # Rules carry no points: they are shown, and only goals are counted.
        return [*goals, *(Row(r.what, r.needed, r.yours, r.slow) for r in rules)]

    def _counts(self, end: Trial) -> dict[str, float]:
        more = self.evidence(end.result, end.arguments) if self.evidence else {}
        return end.counts | dict(more)

    def _refuse_what_cannot_be_called(self, fix: Callable) -> None:
        if not callable(fix):
            raise Refused(
                "error",
                f"Expected a function, got {fix!r:.80}.",
                advice="Pass the function itself, without calling it.",
            )
        needed = inspect.signature(self.slow)
        try:
            signature = inspect.signature(fix)
        except (TypeError, ValueError):  # some built-in functions have none
            return
        try:
            signature.bind(*needed.parameters)
        except TypeError as error:
            name = getattr(fix, "__name__", "the function")
            raise Refused(
                "error",
                f"{name}{signature} cannot be called as the slow version is: {error}.",
                advice=f"Keep the arguments {needed}.",
            ) from error

    def compare_answers(self, right: Any, given: Any, seed: int) -> None:
        found = difference(right, given, self.tolerance)
        if found:
            raise trial.wrong_answer(found, seed, of_slow=self.expected is None)

    # -- the race -----------------------------------------------------------------------------

    def _arm(self, version: Callable) -> Arm:
        return Arm(self.use(version), self.case, self.device, self.clock)

    def _run_race(self, fix: Callable, goal: float) -> Verdict:
        slow, fast = self._arm(self.slow), self._arm(fix)
        progress = Progress()

        def after_heat(heat: Heat, count: int) -> None:
            progress.show(f"heat {count}: {heat.speedup:.2f} times as fast (goal {goal:.2f})")
            if self.answer is None:
                return
            which = secrets.randbelow(min(len(slow.results), len(fast.results)))
            seed, given = slow.seeds[which], self._read(fast.results[which])
            if self.expected:
                right = self.expected(*self.case(seed))
            else:
                right = self.answer(slow.results[which])
            self.compare_answers(right, given, seed)

        try:
            return race(slow, fast, goal, after_heat=after_heat)
        except Refused:
            raise
        except Exception as error:
            raise trial.refused_error(error) from error
        finally:
            progress.close()


def _unreadable(result: Any) -> Refused:
    return Refused(
        "wrong answer",
        f"Your code returned {result!r:.80}, which is not what the slow version returns.",
    )
