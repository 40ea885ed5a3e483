"""`Exercise`: one task, checked by its answer and counts and raced against a clock."""

import inspect
import math
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import torch

from grader import machine, records, trial
from grader.arms import Arm, Clock
from grader.capture import Captured, captured
from grader.compare import difference
from grader.limits import Limit, number
from grader.progress import Progress
from grader.race import NEED, ZONE, Heat, Verdict, heats, judge, race
from grader.score import Card, Outcome, Row, Score
from grader.source import same_code
from grader.trial import Refused, Trial

BUSY = 0.25  # cores kept busy by others, from which a lost race on several cores says nothing

Part = Literal["check", "race"]


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
        self._watched = list(inspect.signature(slow).parameters) if same_inputs else []

    @property
    def goal(self) -> records.Goal:
        return records.goal_for(self.id, machine.device_class(self.device))

    def check(self, fix: Callable) -> Score:
        """Without a clock: the same answer, the rules kept, the goals of the counts reached."""
        return self._judged("check", fix, self._checked)

    def race(self, fix: Callable) -> Score:
        """With a clock: as fast as the goal of this class of machine, beyond luck."""
        return self._judged("race", fix, self._raced)

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

    def _judged(self, part: Part, fix: Callable, judge: Callable[[Callable], Score]) -> Score:
        """The score of one part, with what the code printed; points only for the fix itself."""
        with self._at_work() as printed:
            try:
                score = judge(fix)
            except Refused as refused:
                score = self._score(
                    part, refused.outcome, refused.message, rows=refused.rows, **refused.card
                )
        if printed.text and not score.card.details:
            score = score.with_details("Your code printed", printed.text)
        return score

    def _score(
        self, part: Part, outcome: Outcome, message: str, *, share: float = 0.0, rows=(), **card
    ) -> Score:
        maximum = self.points[part]
        card = Card(self.id, part, outcome, message, list(rows), **card)
        return Score(share * maximum, maximum, card)

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

    def _checked(self, fix: Callable) -> Score:
        rows = self._examine(fix, self.seeds)
        unmet = next((row for row in rows if row.met is False), None)
        if unmet is None:
            outcome, message = "passed", "The answer is right, and every count is reached."
        else:
            outcome, message = _missed(unmet)
        return self._score("check", outcome, message, share=_share_met(rows), rows=rows)

    def _examine(self, fix: Callable, seeds: int) -> list[Row]:
        """The evidence on a fix whose answer is right; raises Refused for any other."""
        self._refuse_what_cannot_be_called(fix)
        if same_code(fix, self.slow):
            raise Refused(
                "not attempted",
                "The cell still holds the slow version that you started from.",
                advice="Change the function in the cell above, run that cell, then this one.",
            )
        slow = self.use(self.slow)
        try:
            fix = self.use(fix)
        except (Exception, SystemExit) as error:
            raise trial.refused_error(error) from error
        pairs = [self._compared(slow, fix, secrets.randbits(31)) for _ in range(seeds)]
        trial.refuse_reseeding(pairs)
        return self._counted(slow, fix, secrets.randbits(31)) if self.counts else []

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

    def _compared(self, slow: Callable, fix: Callable, seed: int) -> tuple[Trial, Trial]:
        """Both versions under one seed; raises Refused unless the fix is right."""
        expected = trial.run(slow, self.case, seed, self.device, names=self._watched)
        actual = trial.run_fix(fix, self.case, seed, self.device, names=self._watched)
        right = self.expected(*self.case(seed)) if self.expected else expected.result
        self._compare_answers(right, actual.result, seed)
        trial.compare_arguments(expected, actual, self.tolerance)
        return expected, actual

    def _compare_answers(self, expected, actual, seed: int) -> None:
        if self.answer is None:
            return
        right = expected if self.expected else self.answer(expected)
        try:
            given = self.answer(actual)
        except Exception as error:
            raise _unreadable(actual) from error
        found = difference(right, given, self.tolerance)
        if found:
            raise trial.wrong_answer(found, seed, of_slow=self.expected is None)

    def _counted(self, slow: Callable, fix: Callable, seed: int) -> list[Row]:
        """One audited call of both versions: goals first, then rules; raises for a broken rule."""
        theirs = self._counts(trial.run(slow, self.case, seed, self.device, audited=True))
        end = trial.run_fix(fix, self.case, seed, self.device, audited=True)
        try:
            yours = self._counts(end)
        except Exception as error:
            raise _unreadable(end.result) from error
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
                outcome, message = _missed(row)
                raise Refused(outcome, message, rows=[row])
            (rules if is_rule else goals).append(row)
        # Rules carry no points: they are shown, and only goals are counted.
        return [*goals, *(Row(r.what, r.needed, r.yours, r.slow) for r in rules)]

    def _counts(self, end: Trial) -> dict[str, float]:
        more = self.evidence(end.result, end.arguments) if self.evidence else {}
        return end.counts | dict(more)

    # -- the race -----------------------------------------------------------------------------

    def _arm(self, version: Callable) -> Arm:
        return Arm(self.use(version), self.case, self.device, self.clock)

    def _raced(self, fix: Callable) -> Score:
        rows = self._examine(fix, 1)
        share = _share_met(rows)
        if self.no_race:
            return self._carried(share, self.no_race)
        if self.device.type == "cpu" and machine.cores() < self.cores:
            return self._carried(
                share,
                f"This race needs {self.cores} cores; this machine has {machine.cores()}.",
            )
        goal = self.goal
        if not goal.raced:
            verdict = self._run_race(fix, 1.0)
            return self._carried(
                share,
                "On this class of machine the effect is too small to be graded by a clock "
                f"(goal {goal.speedup:.2f}).",
                verdict,
            )
        verdict = self._run_race(fix, goal.speedup)
        row = _race_row(verdict)
        if verdict.decision == "reached":
            message = f"As fast as needed, decided in {verdict.seconds:.1f} s."
            return self._score("race", "passed", message, share=1.0, rows=[row])
        if verdict.decision == "inconclusive" or self._machine_is_busy():
            return self._inconclusive(verdict)
        if not goal.measured:
            return self._carried(
                share,
                "This class of machine has no record yet, so missing the general goal costs "
                "nothing. `python -m grader measure` makes a record.",
                verdict,
            )
        return self._missed_goal(fix, verdict)

    def _run_race(self, fix: Callable, goal: float) -> Verdict:
        slow, fast = self._arm(self.slow), self._arm(fix)
        progress = Progress()

        def after_heat(heat: Heat, count: int) -> None:
            progress.show(f"heat {count}: {heat.speedup:.2f} times as fast (goal {goal:.2f})")
            if self.expected:  # the slow version's answers are not the right ones
                return
            shared = min(len(slow.results), len(fast.results))
            which = secrets.randbelow(shared)
            self._compare_answers(slow.results[which], fast.results[which], slow.seeds[which])

        try:
            return race(slow, fast, goal, after_heat=after_heat)
        except Refused:
            raise
        except Exception as error:
            raise trial.refused_error(error) from error
        finally:
            progress.close()

    def _machine_is_busy(self) -> bool:
        """Whether others keep cores busy that this race needs: losing it then says nothing."""
        if self.cores == 1:
            return False
        load = machine.background_load()
        return load is None or load > BUSY

    def _missed_goal(self, fix: Callable, verdict: Verdict) -> Score:
        """Half the points from half the goal's logarithmic gain on, where that can be told."""
        half = math.sqrt(verdict.goal)
        row = _race_row(verdict)
        if half >= records.SMALLEST_GOAL and verdict.speedup > half / 1.15:
            second = self._run_race(fix, half)
            if second.decision == "inconclusive":
                return self._inconclusive(second)
            if second.decision == "reached":
                message = f"Faster by half of what is needed ({half:.2f} times); there is more."
                return self._score("race", "short of the goal", message, share=0.5, rows=[row])
        if verdict.waits:
            message = "Less processor time, but more waiting: by the wall clock it is not faster."
            return self._score("race", "slower", message, rows=[row])
        # Shifted by the zone, the far line is 1: the fix is slower, beyond luck.
        if judge([math.log(heat.speedup) + ZONE for heat in verdict.heats]) == "not reached":
            message = "Your version takes longer than the slow one."
            return self._score("race", "slower", message, rows=[row])
        return self._score("race", "short of the goal", "Not fast enough yet.", rows=[row])

    def _inconclusive(self, verdict: Verdict) -> Score:
        if len(verdict.heats) < NEED[0]:
            reason = f"Only {len(verdict.heats)} heats fitted into the time."
        else:
            reason = "The machine was too busy to tell."
        return self._score(
            "race",
            "inconclusive",
            f"{reason} This costs nothing.",
            rows=[_race_row(verdict, met=None)],
            advice="Close other programs and run this cell again.",
        )

    def _carried(self, share: float, reason: str, verdict: Verdict | None = None) -> Score:
        """Not measurable here: the points of the race follow the counts."""
        return self._score(
            "race",
            "not measurable here",
            f"{reason} The points of this cell follow the counts of the check.",
            share=share,
            rows=[_race_row(verdict, met=None)] if verdict else [],
        )


def _unreadable(result: Any) -> Refused:
    return Refused(
        "wrong answer",
        f"Your code returned {result!r:.80}, which is not what the slow version returns.",
    )


def _share_met(rows: list[Row]) -> float:
    judged = [row.met for row in rows if row.met is not None]
    return sum(judged) / len(judged) if judged else 1.0


def _missed(row: Row) -> tuple[Outcome, str]:
    outcome: Outcome = "too few" if row.below else "too many"
    return outcome, f"{outcome.capitalize()} {row.what}: {row.yours}, needed: {row.needed}."


def _race_row(verdict: Verdict, met: bool | None = ...) -> Row:
    low, high = verdict.middle_half
    return Row(
        what=f"times as fast ({len(verdict.heats)} heats)",
        needed=f"at least {verdict.goal:.2f}",
        yours=f"{verdict.speedup:.2f} (middle half {low:.2f} to {high:.2f})",
        slow="1",
        met=verdict.decision == "reached" if met is ... else met,
    )
