"""The verdict: exact, simulated on noise models, and for real under load."""

import math
import statistics
import time

import numpy as np
import pytest
import torch

from grader import machine, race
from grader.arms import Arm
from grader.bench import busy_loops, work
from grader.race import MAX_HEATS, NEED, ZONE, Block, judge

# -- the rule ---------------------------------------------------------------------------------


def probability_of_crossing(need: tuple[int, ...], p: float) -> float:
    """P(wins ever reach need[losses]) for independent heats that are won with probability p."""
    reached, alive = 0.0, {(0, 0): 1.0}
    for _ in range(need[-1] + len(need)):
        after: dict[tuple[int, int], float] = {}
        for (wins, losses), share in alive.items():
            for state, chance in (((wins + 1, losses), p), ((wins, losses + 1), 1 - p)):
                if state[1] >= len(need):
                    continue
                if state[0] >= need[state[1]]:
                    reached += share * chance
                else:
                    after[state] = after.get(state, 0.0) + share * chance
        alive = after
    return reached


def test_a_fair_coin_crosses_once_in_two_thousand_races():
    exact = probability_of_crossing(NEED, 0.5)
    assert 0.00045 < exact <= 0.0005


def test_a_tilted_coin_of_a_loaded_machine_stays_below_one_in_a_thousand():
    assert probability_of_crossing(NEED, 0.52) <= 0.0011


def test_clear_heats_decide_after_twelve():
    assert judge([0.5] * 11) is None
    assert judge([0.5] * 12) == "reached"
    assert judge([-0.5] * 12) == "not reached"


def test_inside_the_zone_the_median_decides():
    assert judge([0.01] * 12) == "reached"
    assert judge([-0.01] * 12) == "not reached"


def test_heats_that_contradict_each_other_decide_nothing():
    assert judge([1.0, -1.0] * (MAX_HEATS // 2)) is None


# -- simulated: 20,000 races a cell -----------------------------------------------------------

RACES, SLOTS = 20_000, 2 * MAX_HEATS


def spikes(rng, chance, mean):
    return (rng.random((RACES, SLOTS)) < chance) * rng.exponential(mean, (RACES, SLOTS))


def drifting(rng, memory, sd):
    noise = rng.normal(0, sd * math.sqrt(1 - memory**2), (RACES, SLOTS))
    noise[:, 0] = rng.normal(0, sd, RACES)
    for slot in range(1, SLOTS):
        noise[:, slot] += memory * noise[:, slot - 1]
    return noise


def switching(rng, dwell):
    state = np.empty((RACES, SLOTS), bool)
    state[:, 0] = rng.random(RACES) < 0.5
    change = rng.random((RACES, SLOTS)) < 1 / dwell
    for slot in range(1, SLOTS):
        state[:, slot] = state[:, slot - 1] ^ change[:, slot]
    return state


def quiet(rng):
    return rng.normal(0, 0.02, (RACES, SLOTS)) + spikes(rng, 0.03, 0.3)


def saturated(rng):
    kind, shape = rng.random((RACES, SLOTS)), (RACES, SLOTS)
    held = np.where(kind < 0.8, rng.normal(0.69, 0.2, shape), rng.normal(1.1, 0.3, shape))
    return np.where(kind < 0.5, rng.normal(0, 0.05, shape), held)


# the logarithm of the slow-down of every block, in order (measuring.md calls them slots)
NOISE = {
    "quiet": quiet,
    "laptop": lambda rng: (
        rng.normal(0, 0.06, (RACES, SLOTS)) + spikes(rng, 0.1, 0.4) + drifting(rng, 0.95, 0.15)
    ),
    "load on and off": lambda rng: np.where(
        switching(rng, 6),
        math.log(2) + rng.normal(0, 0.15, (RACES, SLOTS)),
        rng.normal(0, 0.03, (RACES, SLOTS)),
    ),
    "saturated": saturated,
    "heavy tail": lambda rng: 0.25 * rng.standard_t(2.5, (RACES, SLOTS)) + drifting(rng, 0.9, 0.3),
    "thermal ramp": lambda rng: quiet(rng) + 0.5 * (1 - np.exp(-np.arange(SLOTS) / 15)),
    "period-2 load": lambda rng: (
        quiet(rng) + math.log(1.6) * ((np.arange(SLOTS) + rng.integers(0, 2, (RACES, 1))) % 2)
    ),
    "hopeless": lambda rng: 0.8 * rng.standard_t(1.5, (RACES, SLOTS)),
    "stalls": lambda rng: (
        rng.normal(0, 0.04, (RACES, SLOTS))
        + (rng.random((RACES, SLOTS)) < 0.01) * rng.uniform(1, 3, (RACES, SLOTS))
    ),
}


def simulated_margins(true_margin: float, noise: np.ndarray, rng) -> np.ndarray:
    """Margins of heats whose two blocks are run in an order decided by a coin."""
    coin = rng.integers(0, 2, (RACES, MAX_HEATS)).astype(bool)
    first, second = noise[:, 0::2], noise[:, 1::2]
    slow, fix = np.where(coin, first, second), np.where(coin, second, first)
    return true_margin + slow - fix


def judge_all(margins: np.ndarray) -> np.ndarray:
    """`judge` on many races at once: 1 reached, -1 not reached, 0 inconclusive."""
    need = np.array([*NEED, 10**6])

    def first_crossing(won: np.ndarray) -> np.ndarray:
        crossed = won.cumsum(1) >= need[np.minimum((~won).cumsum(1), len(NEED))]
        return np.where(crossed.any(1), crossed.argmax(1), MAX_HEATS)

    reached, missed = first_crossing(margins > -ZONE), first_crossing(margins < ZONE)
    decided = np.sign(missed - reached)
    for tie in np.flatnonzero((reached == missed) & (reached < MAX_HEATS)):
        decided[tie] = 1 if np.median(margins[tie, : reached[tie] + 1]) >= 0 else -1
    return decided


def test_judging_many_at_once_is_the_rule_itself():
    rng = np.random.default_rng(5)
    margins = rng.normal(rng.normal(0, 0.2, (300, 1)), 0.3, (300, MAX_HEATS))
    expected = []
    for run in margins:
        decisions = (judge(run[:count]) for count in range(1, MAX_HEATS + 1))
        decision = next((d for d in decisions if d), None)
        expected.append({"reached": 1, "not reached": -1, None: 0}[decision])
    assert judge_all(margins).tolist() == expected
    assert set(expected) == {1, -1, 0}


@pytest.mark.parametrize("name", NOISE)
def test_wrong_verdicts_are_rare_on_any_machine(name):
    rng = np.random.default_rng(11)
    wrong = {}
    for truth, right in ((0.87, -1), (1.15, 1)):
        verdicts = judge_all(simulated_margins(math.log(truth), NOISE[name](rng), rng))
        wrong[truth] = float(np.mean(verdicts == -right))
    print(f"{name}: wrong {wrong[0.87]:.3%} at 0.87, {wrong[1.15]:.3%} at 1.15 of the goal")
    assert max(wrong.values()) <= 0.0015


@pytest.mark.parametrize("name", [n for n in NOISE if n not in ("saturated", "hopeless")])
def test_clear_cases_are_decided_rightly(name):
    rng = np.random.default_rng(12)
    for truth, right in ((1 / 1.5, -1), (1.5, 1)):
        verdicts = judge_all(simulated_margins(math.log(truth), NOISE[name](rng), rng))
        assert np.mean(verdicts == -right) <= 0.0005
        assert np.mean(verdicts == right) >= 0.999


# -- the loop, with arms whose time is known -----------------------------------------------------


class Clockwork:
    """An arm whose calls take exactly known time, without spending any."""

    def __init__(self, seconds: float, wall: float | None = None, log: list | None = None):
        self.seconds, self.wall = seconds, wall or seconds
        self.log = log if log is not None else []

    def stage(self, seeds):
        self.seeds = seeds

    def run(self):
        calls = len(self.seeds)
        self.log.append((self, list(self.seeds)))
        return Block(calls * self.seconds, calls * self.wall)


def test_both_blocks_are_equally_long_at_the_goal():
    for seconds in (1e-5, 0.001, 0.019, 0.3):
        for goal in (1.25, 1.32, 1.5, 2.0, 3.7):
            slow, fix = race.calls_per_block(seconds, goal, 0.02)
            assert abs(math.log(fix / (goal * slow))) <= 0.08
            assert slow <= 200 + 8


def test_a_race_decides_and_reports():
    verdict = race.race(Clockwork(0.004), Clockwork(0.002), 1.5)
    assert (verdict.decision, len(verdict.heats), verdict.tries) == ("reached", 12, 1)
    assert verdict.speedup == pytest.approx(2.0)
    assert race.race(Clockwork(0.004), Clockwork(0.004), 1.5).decision == "not reached"


def test_both_versions_see_the_same_seeds_in_an_order_decided_by_the_coin():
    log: list = []
    slow, fix = Clockwork(0.02, log=log), Clockwork(0.02, log=log)
    coins = iter([1, 0] * 50)
    race.race(slow, fix, 1.0, coin=lambda: next(coins))
    in_heats = log[-24:]
    assert [arm is slow for arm, _ in in_heats[:4]] == [True, False, False, True]
    for (_, first), (_, second) in zip(in_heats[::2], in_heats[1::2], strict=True):
        assert first == second
    assert len({tuple(seeds) for _, seeds in in_heats}) == 12


def test_a_fix_that_waits_is_not_faster():
    verdict = race.race(Clockwork(0.02, wall=0.02), Clockwork(0.002, wall=0.03), 1.5)
    assert verdict.decision == "not reached"
    assert verdict.waits


def test_no_decision_within_the_budget_is_inconclusive_after_a_second_try():
    class Erratic(Clockwork):
        def run(self):
            self.seconds = 0.001 if self.seconds > 0.01 else 0.1
            return super().run()

    start = time.perf_counter()
    verdict = race.race(Erratic(0.02), Clockwork(0.02), 1.25, budget=0.3)
    assert (verdict.decision, verdict.tries) == ("inconclusive", 2)
    assert time.perf_counter() - start < 5


class Long(Clockwork):
    """Whose blocks take 0.05 s for real."""

    def run(self):
        time.sleep(0.05)
        return super().run()


def test_a_call_that_is_too_long_for_the_budget_is_inconclusive():
    verdict = race.race(Long(0.05), Long(0.02), 1.25, budget=0.2)
    assert verdict.decision == "inconclusive"
    assert len(verdict.heats) < NEED[0]


def test_few_heats_that_all_agree_go_on_beyond_the_budget():
    verdict = race.race(Long(0.05), Long(0.02), 1.25, budget=0.6)
    assert (verdict.decision, len(verdict.heats), verdict.tries) == ("reached", NEED[0], 1)
    assert verdict.seconds > 0.6
    slower = race.race(Long(0.05), Long(0.1), 1.25, budget=0.6)
    assert (slower.decision, len(slower.heats), slower.tries) == ("not reached", NEED[0], 1)


def test_garbage_collection_is_as_it_was():
    import gc

    frozen = gc.get_freeze_count()
    race.race(Clockwork(0.004), Clockwork(0.002), 1.5)
    assert gc.isenabled()
    assert gc.get_freeze_count() <= frozen


# -- for real -------------------------------------------------------------------------------------


def batch(seed: int) -> tuple[torch.Tensor]:
    return (torch.randn(96, 160, generator=torch.Generator().manual_seed(seed)),)


@pytest.mark.timing
@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_no_wrong_verdict_with_both_cores_busy(clock):
    """60 races of a right fix (1.5 times as fast) and 60 of the starter, goal 1.25."""
    races = 60 if clock == "wall" else 20
    device = torch.device("cpu")
    slow, right = work(30), work(20)
    decisions: dict[str, list[str]] = {"right": [], "starter": []}
    seconds = []
    with machine.threads(1), busy_loops(2):
        for _ in range(races):
            for name, fix in (("right", right), ("starter", slow)):
                arms = Arm(slow, batch, device, clock), Arm(fix, batch, device, clock)
                verdict = race.race(*arms, 1.25)
                decisions[name].append(verdict.decision)
                seconds.append(verdict.seconds)
    open_ones = sum(kind.count("inconclusive") for kind in decisions.values())
    print(
        f"{clock}: {2 * races} races, {open_ones} inconclusive, "
        f"median {statistics.median(seconds):.2f} s, longest {max(seconds):.1f} s"
    )
    assert "not reached" not in decisions["right"]
    assert "reached" not in decisions["starter"]
    assert open_ones <= 0.1 * 2 * races
