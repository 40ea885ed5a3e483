"""The commands, and that a failure is one line that says what to do."""

import json

import pytest

from grader import bench, cli, records


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADER_VAR", str(tmp_path))
    return tmp_path


@pytest.mark.timing
def test_measure_writes_this_machines_records(own_folder, capsys):
    assert cli.main(["measure", "--only", "07-", "--heats", "9", "--device", "cpu"]) == 0
    (record,) = json.loads((own_folder / "records.json").read_text())
    assert record["exercise"] == "07-transfers-and-syncs/evaluation"
    assert record["heats"] == 9
    assert "1 records" in capsys.readouterr().out
    assert records.goal_for(record["exercise"], "cpu").measured


def test_measure_keeps_no_record_of_what_no_clock_can_judge_here(own_folder, capsys):
    assert cli.main(["measure", "--only", "06-", "--device", "cpu"]) == 0
    assert "not measurable here" in capsys.readouterr().out
    assert not (own_folder / "records.json").exists()


def test_measure_of_nothing_says_so(own_folder, capsys):
    assert cli.main(["measure", "--only", "no such exercise"]) == 1
    assert "no exercise has 'no such exercise' in its id" in capsys.readouterr().err


def test_run_names_a_file_that_is_no_notebook(tmp_path, capsys):
    path = tmp_path / "notes.ipynb"
    path.write_text("not json")
    assert cli.main(["run", str(path)]) == 1
    assert "is not a notebook" in capsys.readouterr().err
    assert cli.main(["run", str(tmp_path / "absent.ipynb")]) == 1
    assert "absent.ipynb" in capsys.readouterr().err


@pytest.mark.timing
def test_run_goes_on_after_a_notebook_that_fails(own_folder, tmp_path, capsys):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None}
    for name, source in (("one", "1 / 0"), ("two", "2")):
        folder = tmp_path / name
        folder.mkdir()
        nb = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": [cell | {"source": source}],
        }
        nb["metadata"]["kernelspec"] = {
            "name": "python3",
            "display_name": "x",
            "language": "python",
        }
        (folder / f"{name}.ipynb").write_text(json.dumps(nb))
    paths = [str(tmp_path / name / f"{name}.ipynb") for name in ("one", "two")]
    assert cli.main(["run", *paths]) == 1
    printed = capsys.readouterr().out
    assert "ZeroDivisionError" in printed
    assert "two" in printed and "ran in" in printed


def test_check_finds_the_course_in_step(capsys):
    assert cli.main(["check"]) == 0, capsys.readouterr().out


@pytest.mark.timing
def test_every_rule_of_the_benchmark_gives_a_verdict(monkeypatch):
    monkeypatch.setattr(bench, "WORKLOADS", {"twice as fast": (20, 10, True)})
    for name, rule in bench.RULES.items():
        result = bench.tally(rule, races=1)
        assert result.verdicts == 1
        assert result.wrong in (0, 1)
        assert name in result.line(name)
