"""Records, the goals that follow from them, the claims table."""

import dataclasses
import math
import random

import pytest

from grader import records
from grader.records import Claims, Record

RECORD = Record(
    exercise="00-test/total",
    device_class="cpu",
    device="cpu (a processor), 2 cores, torch 2.13.0",
    torch="2.13.0",
    date="2026-01-01",
    clock="cpu",
    heats=31,
    median=4.2,
    low=4.0,
    high=4.4,
    slow_ms=10.0,
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADER_VAR", str(tmp_path))
    monkeypatch.setattr(records, "SHIPPED", tmp_path / "shipped.json")


def test_the_goal_rule():
    assert records.goal_from(4.0) == records.Goal(2.0, True, True)
    assert records.goal_from(1.69).speedup == pytest.approx(1.3)
    assert records.goal_from(1.65).speedup == pytest.approx(1.65 / 1.3)
    assert not records.goal_from(1.5).raced


def test_a_class_without_a_record_has_the_smallest_goal():
    assert records.goal_for("00-test/total", "cuda-turing") == records.Goal(1.25, False, True)


def test_own_records_win_over_shipped_ones():
    records.store([RECORD], records.SHIPPED)
    assert records.goal_for("00-test/total", "cpu").speedup == 2.0
    records.store([dataclasses.replace(RECORD, low=9.0)], records.own_file())
    assert records.goal_for("00-test/total", "cpu").speedup == 3.0


def test_storing_replaces_only_the_same_exercise_and_class():
    other = dataclasses.replace(RECORD, device_class="cuda-turing")
    records.store([RECORD, other], records.own_file())
    records.store([dataclasses.replace(RECORD, median=5.0)], records.own_file())
    assert sorted(r.median for r in records.load()) == [4.2, 5.0]
    assert not [p for p in records.var_folder().iterdir() if p.name != "records.json"]


def test_a_damaged_file_says_what_to_do():
    records.own_file().write_text('[{"exercise": 3}]')
    with pytest.raises(ValueError, match="delete it, or measure again"):
        records.load()


def test_the_interval_covers_the_median_as_often_as_it_says():
    rng = random.Random(3)
    covered = 0
    for _ in range(4000):
        low, high = records.median_interval([rng.lognormvariate(0, 1) for _ in range(31)])
        covered += low <= 1.0 <= high
    assert 0.99 - 3 * math.sqrt(0.99 * 0.01 / 4000) <= covered / 4000


def test_too_few_values_for_an_interval():
    with pytest.raises(ValueError, match="too few"):
        records.median_interval([1.0] * 7)
    assert records.median_interval([1.0] * 8) == (1.0, 1.0)


def test_the_claims_table_shows_claims_and_records():
    records.store([RECORD], records.SHIPPED)
    table = Claims([("it is <fast>", "the article", "1.1")], exercises=["00-test/total"])
    assert "it is &lt;fast&gt;" in table._repr_html_()
    assert "4.20 times as fast (4.00 to 4.40)" in repr(table)
    assert "31 heats, 2026-01-01" in repr(table)


def test_shipped_records_are_readable(monkeypatch):
    monkeypatch.undo()
    for record in records.read(records.SHIPPED):
        assert record.low <= record.median <= record.high
        assert record.heats >= 8
