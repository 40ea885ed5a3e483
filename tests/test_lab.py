"""The shared data, memory curve and convergence helper give what they promise."""

import math

import pytest
import torch

from grader.lab import LiveBytes, clusters, steps_to_target
from grader.limits import number


def test_clusters_are_the_same_for_the_same_seed_only():
    x, y = clusters(50, 4, 3, seed=1)
    assert (x.shape, x.dtype, y.shape, y.dtype) == ((50, 4), torch.float32, (50,), torch.int64)
    again, other = clusters(50, 4, 3, seed=1), clusters(50, 4, 3, seed=2)
    assert torch.equal(x, again[0]) and torch.equal(y, again[1])
    assert not torch.equal(x, other[0])
    assert set(y.tolist()) == {0, 1, 2}


def test_points_lie_around_the_centre_of_their_class():
    x, y = clusters(3000, 2, 2, seed=0, spread=0.1)
    for label in (0, 1):
        assert x[y == label].std(dim=0) == pytest.approx(torch.full((2,), 0.1), rel=0.1)


def test_live_bytes_follows_what_is_alive():
    held = torch.zeros(100)
    with LiveBytes([held, held.view(10, 10)]) as live:
        first = torch.ones(250)
        second = first.view(50, 5)  # shares memory
        del first
        third = torch.ones(50)
        del second
        torch.ones(1)
    assert live.curve == [1400, 1400, 1600, 604]
    del third


@pytest.mark.parametrize(("needed", "expected"), [(1, 10), (10, 10), (11, 20), (31, math.inf)])
def test_steps_to_target(needed, expected):
    taken = []
    steps = steps_to_target(
        lambda: taken.append(1), lambda: len(taken) >= needed, limit=30, every=10
    )
    assert steps == expected
    assert len(taken) == min(expected, 30)


def test_no_number_of_steps_reads_as_never():
    assert number(math.inf) == "never"
