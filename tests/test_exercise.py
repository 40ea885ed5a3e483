"""Every outcome that a graded cell can have, and that no fix leaves anything behind."""

import logging
import sys
import warnings

import numpy as np
import pytest
import torch

from grader import Exercise, at_least, at_most, exactly, host, machine, records
from grader.race import Heat, Verdict
from grader.score import MIME, Score

WIDTH = 64


def total_slow(batch: torch.Tensor, model: torch.nn.Module) -> dict:
    """batch: float32 (rows, WIDTH). One host read a row."""
    output = model(batch)
    total = 0.0
    for row in output:
        total += row.sum().item()
    return {"total": total, "output": output.detach()}


def total_fixed(batch, model):
    output = model(batch).detach()
    return {"total": output.sum().item(), "output": output}


def case(seed: int) -> tuple:
    generator = torch.Generator().manual_seed(seed)
    model = torch.nn.Linear(WIDTH, 8)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.rand(parameter.shape, generator=generator))
    return torch.rand(32, WIDTH, generator=generator), model


def make_exercise(**changes) -> Exercise:
    arguments = {
        "points": (4, 6),
        "counts": {"host reads": at_most(1), "samples": at_least(32)},
        "evidence": lambda result, arguments: {"samples": len(result["output"])},
        "clock": "cpu",
    }
    return Exercise("00-test/total", total_slow, case, **(arguments | changes))


@pytest.fixture
def exercise(monkeypatch) -> Exercise:
    """Its reference was once measured to be four times as fast: the goal is 2."""
    monkeypatch.setattr(records, "goal_for", lambda *_: records.goal_from(4.0))
    return make_exercise()


def outcome_of(fix, **changes) -> Score:
    score = make_exercise(**changes).check(fix)
    assert 0 <= score <= score.maximum
    return score


def test_the_reference_passes_both_parts(exercise):
    check, race = exercise.check(total_fixed), exercise.race(total_fixed)
    assert (check.outcome, check) == ("passed", 4)
    assert (race.outcome, race) == ("passed", 6)


def renamed_starter(batch, model):
    # comments and names do not count
    output = model(batch)
    total = 0.0
    for row in output:
        total += row.sum().item()
    return {"total": total, "output": output.detach()}


def test_the_starter_is_not_attempted(exercise):
    for fix in (total_slow, renamed_starter):
        assert [exercise.check(fix).outcome, exercise.race(fix).outcome] == ["not attempted"] * 2
        assert exercise.check(fix) == exercise.race(fix) == 0


def test_an_edit_that_changes_nothing_gets_nothing(exercise):
    def edited(batch, model):
        result = total_slow(batch, model)
        return result

    check, race = exercise.check(edited), exercise.race(edited)
    assert (check.outcome, check) == ("too many", 0)
    assert (race.outcome, race) == ("short of the goal", 0)


def test_a_slower_fix(exercise):
    def slower(batch, model):
        for _ in range(3):
            result = total_slow(batch, model)
        return result

    race = exercise.race(slower)
    assert (race.outcome, race) == ("slower", 0)


def test_a_broken_rule_is_refused():
    def half(batch, model):
        return total_fixed(batch[:16], model)

    score = outcome_of(half, answer=None)
    assert (score.outcome, score) == ("too few", 0)
    assert "samples" in score.card.message
    assert make_exercise(answer=None).race(half).outcome == "too few"


def test_goals_share_the_points():
    counts = {"host reads": at_most(1), "calls": at_most(1), "samples": at_least(32)}
    score = outcome_of(
        total_fixed,
        counts=counts,
        evidence=lambda result, arguments: {"samples": 32, "calls": 5},
    )
    assert (score.outcome, score) == ("too many", 2)


@pytest.mark.parametrize(("calls", "outcome"), [(1, "too few"), (2, "passed"), (3, "too many")])
def test_an_exact_count_is_missed_from_below_or_above(calls, outcome):
    score = outcome_of(
        total_fixed,
        counts={"host reads": at_most(1), "calls": exactly(2)},
        evidence=lambda result, arguments: {"calls": calls},
    )
    assert score.outcome == outcome


def test_counts_of_another_device_are_shown_and_not_judged():
    score = outcome_of(
        total_fixed, counts={"host reads": at_most(1), "syncs": at_most(0, device="cuda")}
    )
    assert (score.outcome, score) == ("passed", 4)
    assert "not measurable here" in str(score)


def plus(value):
    return lambda result: result | {"total": result["total"] + value}


WRONG = {
    "another value": (lambda b, m: plus(1.0)(total_fixed(b, m)), "['total']: is"),
    "None": (lambda b, m: None, "nothing was returned"),
    "another kind": (lambda b, m: 3.0, "is a float, expected a dict"),
    "another shape": (
        lambda b, m: total_fixed(b, m) | {"output": total_fixed(b, m)["output"].T},
        "has shape (8, 32), not (32, 8)",
    ),
    "nan": (
        lambda b, m: total_fixed(b, m) | {"output": total_fixed(b, m)["output"] * float("nan")},
        "is not finite",
    ),
    "another dtype": (
        lambda b, m: total_fixed(b, m) | {"output": total_fixed(b, m)["output"].bfloat16()},
        "has dtype bfloat16, expected float32",
    ),
    "a missing entry": (lambda b, m: {"total": 0.0}, "has the keys 'total'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_says_which_and_by_how_much(name):
    fix, words = WRONG[name]
    score = outcome_of(fix)
    assert (score.outcome, score) == ("wrong answer", 0)
    assert words in score.card.message
    assert "seed" in score.card.message
    assert make_exercise().race(fix).outcome == "wrong answer"


def test_a_result_that_the_answer_cannot_read_is_a_wrong_answer():
    score = outcome_of(lambda batch, model: 3, answer=lambda result: result["total"])
    assert score.outcome == "wrong answer"
    assert "returned 3" in score.card.message


def test_a_result_that_the_evidence_cannot_read_is_a_wrong_answer():
    score = outcome_of(lambda batch, model: 3, answer=None)
    assert (score.outcome, score) == ("wrong answer", 0)
    assert "returned 3" in score.card.message


def test_what_is_no_function_is_an_error(exercise):
    assert exercise.check(3).outcome == "error"
    assert exercise.race(None).outcome == "error"


def test_other_arguments_are_an_error(exercise):
    score = exercise.check(lambda batch: None)
    assert score.outcome == "error"
    assert "(batch: torch.Tensor, model: torch.nn.modules.module.Module)" in score.card.advice


def test_an_exception_shows_the_learners_own_lines(exercise):
    def helper(batch):
        return batch.reshape(7, -1)

    def broken(batch, model):
        return helper(batch)

    for score in (exercise.check(broken), exercise.race(broken)):
        assert (score.outcome, score) == ("error", 0)
        assert "RuntimeError" in score.card.message
        assert "in broken" in score.card.details
        assert "return batch.reshape(7, -1)" in score.card.details
        assert "exercise.py" not in score.card.details
        assert score.card.details.splitlines()[-2].strip() == "return batch.reshape(7, -1)"


def test_an_exception_in_a_later_call_of_the_race(exercise):
    calls = []

    def breaks_later(batch, model):
        calls.append(1)
        if len(calls) > 20:
            raise ValueError("enough")
        return total_fixed(batch, model)

    score = exercise.race(breaks_later)
    assert (score.outcome, score) == ("error", 0)
    assert "enough" in score.card.message


def test_exit_is_an_error_and_not_the_end(exercise):
    assert exercise.check(lambda batch, model: sys.exit(0)).outcome == "error"


def test_an_answer_that_turns_wrong_during_the_race_is_noticed(exercise):
    seen = []

    def remembers(batch, model):
        if len(seen) < 8:
            seen.append(total_fixed(batch, model))
        return seen[-1] if len(seen) == 8 else total_fixed(batch, model)

    score = exercise.race(remembers)
    assert (score.outcome, score) == ("wrong answer", 0)


def test_changed_inputs():
    def in_place(batch, model):
        result = total_fixed(batch, model)
        batch.mul_(0)
        return result

    score = outcome_of(in_place)
    assert (score.outcome, score) == ("inputs changed", 0)
    assert "batch" in score.card.message
    assert outcome_of(in_place, same_inputs=False).outcome == "passed"


def test_a_model_that_ends_in_another_state_is_a_wrong_answer():
    def train_slow(batch, model):
        for _ in range(2):
            model.weight.data -= 0.1 * batch.mean(0)
        return {"total": batch.sum().item() + batch.sum().item(), "output": batch}

    def train_half(batch, model):
        model.weight.data -= 0.1 * batch.mean(0)
        return {"total": 2 * batch.sum().item(), "output": batch}

    exercise = Exercise(
        "00-test/train", train_slow, case, points=(4, 0), counts={"host reads": at_most(1)}
    )
    score = exercise.check(train_half)
    assert (score.outcome, score) == ("wrong answer", 0)
    assert "model.weight" in score.card.message


SWITCHES = {
    "grad mode": lambda: torch.set_grad_enabled(False),
    "default dtype": lambda: torch.set_default_dtype(torch.float64),
    "number of threads": lambda: torch.set_num_threads(2),
    "deterministic algorithms": lambda: torch.use_deterministic_algorithms(True),
    "anomaly detection": lambda: torch.autograd.set_detect_anomaly(True),
    "float32 matmul precision": lambda: torch.set_float32_matmul_precision("medium"),
    "cudnn.benchmark": lambda: setattr(torch.backends.cudnn, "benchmark", True),
}


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_global_switches(exercise, name):
    def switching(batch, model):
        result = total_fixed(batch, model)
        SWITCHES[name]()
        return result

    before = machine.global_state()
    score = exercise.check(switching)
    assert (score.outcome, score) == ("global state changed", 0)
    assert name in score.card.message
    assert machine.global_state() == before
    assert exercise.check(total_fixed).outcome == "passed"


GENERATORS = {
    "seeds": lambda: torch.manual_seed(0),
    "draws": lambda: torch.rand(3),
    "draws from numpy": lambda: np.random.rand(),
}


@pytest.mark.parametrize("name", GENERATORS)
def test_global_generators(exercise, name):
    def random(batch, model):
        GENERATORS[name]()
        return total_fixed(batch, model)

    torch.manual_seed(3)
    before = machine.generators()
    score = exercise.check(random)
    assert (score.outcome, score) == ("global state changed", 0)
    assert "generators" in score.card.message
    assert not machine.differing_generators(before, machine.generators())


def test_a_task_that_draws_may_draw_but_not_seed():
    def noisy_slow(batch, model):
        return total_slow(batch + 0 * torch.randn(3, 1, 1)[0], model)

    def noisy_fixed(batch, model):
        return total_fixed(batch + 0 * torch.randn(1), model)

    def seeding(batch, model):
        torch.manual_seed(1)
        return total_fixed(batch, model)

    exercise = Exercise(
        "00-test/noise", noisy_slow, case, points=(4, 0), counts={"host reads": at_most(1)}
    )
    assert exercise.check(noisy_fixed).outcome == "passed"
    assert exercise.check(seeding).outcome == "global state changed"


def test_what_a_fix_prints_touches_nothing(exercise, capfd, monkeypatch):
    # Printing takes time of its own, which is the fix's to pay: the goal here is 1.25.
    monkeypatch.setattr(records, "goal_for", lambda *_: records.Goal(1.25, True, True))
    handler = logging.StreamHandler(sys.stderr)
    logger = logging.getLogger("learner")
    logger.addHandler(handler)

    def chatty(batch, model):
        print("to stdout")
        print("to stderr", file=sys.stderr)
        warnings.warn_explicit("a warning", UserWarning, "cell", 1)
        logger.warning("logged")
        return total_fixed(batch, model)

    try:
        check, race = exercise.check(chatty), exercise.race(chatty)
    finally:
        logger.removeHandler(handler)
    assert (check.outcome, check, race.outcome) == ("passed", 4, "passed")
    assert "logged" in str(check) and "to stderr" in str(check)
    written = capfd.readouterr()
    assert (written.out, written.err) == ("", "")


# -- races that end otherwise: the verdict is given, the score is what is tested ------------------


def verdict(decision: str, speedup: float, goal: float, heats: int = 20, **more) -> Verdict:
    heat = Heat(slow=speedup, fix=1.0, slow_wall=speedup, fix_wall=1.0)
    return Verdict(decision, goal, [heat] * heats, 1.0, **more)


def raced(monkeypatch, verdicts: list[Verdict], *, record=4.0, **changes) -> Score:
    goal = records.goal_from(record) if record else records.Goal(1.25, False, True)
    monkeypatch.setattr(records, "goal_for", lambda *_: goal)
    ends = iter(verdicts)
    monkeypatch.setattr(Exercise, "_run_race", lambda self, fix, goal: next(ends))
    return make_exercise(**changes).race(total_fixed)


def test_half_the_points_from_half_the_logarithmic_gain_on(monkeypatch):
    ends = [verdict("not reached", 1.6, 2.0), verdict("reached", 1.6, 1.41)]
    score = raced(monkeypatch, ends)
    assert (score.outcome, score) == ("short of the goal", 3)


def test_no_half_points_where_half_the_gain_cannot_be_told(monkeypatch):
    score = raced(monkeypatch, [verdict("not reached", 1.3, 1.4)], record=1.96)
    assert (score.outcome, score) == ("short of the goal", 0)


def test_inconclusive_costs_nothing_and_says_so(monkeypatch):
    score = raced(monkeypatch, [verdict("inconclusive", 2.0, 2.0)])
    assert score.outcome == "inconclusive"
    assert "costs nothing" in score.card.message
    few = raced(monkeypatch, [verdict("inconclusive", 2.0, 2.0, heats=3)])
    assert "Only 3 heats" in few.card.message


def test_less_processor_time_but_more_waiting_is_slower(monkeypatch):
    score = raced(monkeypatch, [verdict("not reached", 3.0, 2.0, waits=True)] * 2)
    assert (score.outcome, score) == ("slower", 0)


def test_without_a_record_missing_the_goal_costs_nothing(monkeypatch):
    score = raced(monkeypatch, [verdict("not reached", 1.0, 1.25)], record=None)
    assert (score.outcome, score) == ("not measurable here", 6)
    assert raced(monkeypatch, [verdict("reached", 2.0, 1.25)], record=None).outcome == "passed"


def test_what_no_clock_can_judge_here_follows_the_counts():
    exercise = make_exercise(no_race="This CPU emulates bfloat16.")
    score = exercise.race(total_fixed)
    assert (score.outcome, score) == ("not measurable here", 6)
    assert "emulates bfloat16" in score.card.message
    assert exercise.race(total_slow).outcome == "not attempted"


def test_too_small_an_effect_follows_the_counts(monkeypatch):
    score = raced(monkeypatch, [verdict("reached", 1.1, 1.0)], record=1.2)
    assert (score.outcome, score) == ("not measurable here", 6)
    counts = {"host reads": at_most(1), "calls": at_most(1)}
    half = raced(
        monkeypatch,
        [verdict("reached", 1.1, 1.0)],
        record=1.2,
        counts=counts,
        evidence=lambda result, arguments: {"calls": 5},
    )
    assert half == 3


def test_too_few_cores(monkeypatch):
    monkeypatch.setattr(machine, "cores", lambda: 1)
    score = raced(monkeypatch, [], cores=2)
    assert (score.outcome, score) == ("not measurable here", 6)
    assert "needs 2 cores" in score.card.message


def test_a_race_on_several_cores_is_not_lost_on_a_busy_machine(monkeypatch):
    monkeypatch.setattr(machine, "cores", lambda: 2)
    monkeypatch.setattr(host, "background_load", lambda: 1.0)
    score = raced(monkeypatch, [verdict("not reached", 1.0, 2.0)], cores=2)
    assert score.outcome == "inconclusive"
    monkeypatch.setattr(host, "background_load", lambda: 0.0)
    score = raced(monkeypatch, [verdict("not reached", 1.0, 2.0)], cores=2)
    assert score.outcome == "short of the goal"


# -- the rest of the contract ------------------------------------------------------------------


def test_a_fix_that_builds_something_is_used_through_use():
    def make_slow():
        return lambda batch, model: total_slow(batch, model)

    def make_fixed():
        return lambda batch, model: total_fixed(batch, model)

    exercise = Exercise(
        "00-test/use",
        make_slow,
        case,
        points=(4, 6),
        counts={"host reads": at_most(1)},
        use=lambda make: make(),
        clock="cpu",
        same_inputs=False,
    )
    assert exercise.check(make_fixed) == 4
    assert exercise.race(make_fixed) == 6
    assert exercise.check(make_slow).outcome == "not attempted"


def test_an_expected_answer_where_the_slow_version_is_wrong():
    exercise = Exercise(
        "00-test/expected",
        lambda batch, model: 0.0,
        case,
        points=(4, 0),
        expected=lambda batch, model: batch.sum(),
    )
    assert exercise.check(lambda batch, model: batch.sum().item()) == 4
    wrong = exercise.check(lambda batch, model: 1.0)
    assert wrong.outcome == "wrong answer"
    assert "slow version" not in str(wrong)


def test_a_race_against_a_slow_version_that_is_wrong(monkeypatch):
    monkeypatch.setattr(records, "goal_for", lambda *_: records.Goal(1.25, True, True))
    exercise = Exercise(
        "00-test/expected",
        lambda batch, model: total_slow(batch, model)["total"] + 1.0,
        case,
        points=(0, 4),
        expected=lambda batch, model: model(batch).sum().item(),
        clock="cpu",
    )
    assert exercise.race(lambda batch, model: model(batch).sum().item()) == 4


def test_tasks_that_nothing_could_fail_are_refused():
    with pytest.raises(ValueError, match="add counts"):
        Exercise("00-test/none", total_slow, case, points=(4, 6))
    with pytest.raises(ValueError, match="counts have to say"):
        Exercise("00-test/none", total_slow, case, points=(4, 6), answer=None)
    with pytest.raises(ValueError, match="either a value or share"):
        at_most()


def test_a_record_is_measured(exercise):
    record = exercise.measure(total_fixed, "2026-01-01", count=9)
    assert record.exercise == "00-test/total"
    assert 1 < record.low <= record.median <= record.high
    with pytest.raises(RuntimeError, match="not attempted"):
        exercise.measure(total_slow, "2026-01-01", count=9)


def test_every_outcome_is_a_card_of_its_own(exercise):
    scores = [
        exercise.check(total_fixed),
        exercise.check(total_slow),
        exercise.check(lambda batch, model: None),
        exercise.check(3),
    ]
    bundles = [score._repr_mimebundle_() for score in scores]
    assert len({bundle[MIME]["outcome"] for bundle in bundles}) == len(scores)
    assert len({bundle["text/html"] for bundle in bundles}) == len(scores)
    for score, bundle in zip(scores, bundles, strict=True):
        assert float(bundle["text/plain"]) == score == bundle[MIME]["points"]
