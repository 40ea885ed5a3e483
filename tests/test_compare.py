"""The same answer, and in what way another one differs."""

from collections import Counter, OrderedDict, UserDict, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from grader.compare import difference, own_container, state_of


@dataclass
class Step:
    loss: float
    grads: list


INF, NAN = float("inf"), float("nan")
BIG = torch.tensor([1000.0, 1.0])
SAME = [
    (1, 1.0),
    (2.0, torch.tensor(2.0)),
    (torch.tensor([2.0]), 2.0),
    (np.float32(2.0), 2.0),
    (BIG, BIG + torch.tensor([0.05, 0.05])),
    (torch.tensor([INF, NAN, 1.0]), torch.tensor([INF, NAN, 1.0])),
    ({"a": [1, "x"]}, {"a": (1, "x")}),
    (Step(1.0, [BIG]), Step(1.0, [BIG.clone()])),
    (torch.zeros(0), torch.zeros(0)),
    (None, None),
    (np.arange(3), torch.arange(3)),
]
OTHER = [
    (1.0, 1.001, "is 1.001, expected 1"),
    (BIG, BIG + torch.tensor([0.0, 0.2]), "differs by 2.0e-04 of its largest value"),
    (BIG, BIG.double(), "has dtype float64, expected float32"),
    (BIG, BIG.reshape(2, 1), "has shape (2, 1), not (2,)"),
    (BIG, torch.tensor([1000.0, NAN]), "is not finite"),
    (torch.tensor([INF]), torch.tensor([-INF]), "infinite or nan in another way"),
    (torch.tensor([INF]), torch.tensor([NAN]), "infinite or nan in another way"),
    (BIG, None, "nothing was returned (None), expected a tensor (2,)"),
    ([1, 2], [1], "has 1 items, expected 2"),
    ({"a": 1}, {"b": 1}, "has the keys 'b', expected the keys 'a'"),
    ({"a": [1, 2]}, {"a": [1, 3]}, "['a'][1]: is 3, expected 2"),
    (Step(1.0, [1]), Step(2.0, [1]), ".loss: is 2, expected 1"),
    ("yes", "no", "is 'no', expected 'yes'"),
    ([1.0], 1.0, "is a float, expected a list"),
]


@pytest.mark.parametrize(("expected", "actual"), SAME)
def test_the_same(expected, actual):
    assert difference(expected, actual, 1e-4) is None


@pytest.mark.parametrize(("expected", "actual", "words"), OTHER)
def test_another(expected, actual, words):
    assert words in str(difference(expected, actual, 1e-4))


def test_modules_are_compared_by_their_state():
    torch.manual_seed(0)
    left, right = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    assert "['weight']" in str(difference(left, right, 1e-4))
    right.load_state_dict(left.state_dict())
    assert difference(left, right, 0.0) is None


def test_the_state_of_arguments_is_a_copy():
    model, batch = torch.nn.BatchNorm1d(2), [np.ones(3), {"x": torch.ones(2)}]
    state = state_of((model, batch, object()), ("model", "batch", "other"))
    assert set(state) >= {"model.running_mean", "batch[0]", "batch[1]['x']"}
    batch[0][:] = 5
    assert state["batch[0]"].tolist() == [1, 1, 1]


class LazyDict(dict):
    def items(self):
        return {"loss": 1.0}.items()


class LazyList(list):
    def __iter__(self):
        return iter([1.0])


class LazyTensor(torch.Tensor):
    pass


Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (LazyDict(), LazyDict),
        ([{"a": LazyList()}], LazyList),
        ((1, torch.ones(1).as_subclass(LazyTensor)), LazyTensor),
        (UserDict(a=1), UserDict),
        ({"a": [torch.ones(1), 1, "b", None, range(3)]}, None),
        ([OrderedDict(a=1), Counter("a"), Pair(1, 2), torch.ones(2, 2).max(1)], None),
        ([torch.nn.Linear(1, 1), torch.nn.Parameter(torch.ones(1))], None),
    ],
)
def test_containers_that_decide_themselves_what_they_hold(value, expected):
    assert own_container(value) is expected
