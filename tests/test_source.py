"""Whether a cell still holds the starter."""

import math
import types

import torch

from grader.source import same_code


def total_slow(values, scale=2.0):
    """Adds up."""
    total = 0.0
    for value in values:
        total += helper_slow(value) * scale
    return total


def helper_slow(value):
    return math.sqrt(value)


def total(values: list, scale: float = 2.0) -> float:
    # another layout, other names of functions, no docstring
    total = 0.0
    for value in values:
        total += helper(value) * scale

    return total


def helper(value):
    """The same step."""
    return math.sqrt(value)


def total_with_another_helper(values, scale=2.0):
    total = 0.0
    for value in values:
        total += faster_helper(value) * scale
    return total


def faster_helper(value):
    return value**0.5


def test_names_comments_and_layout_do_not_count():
    assert same_code(total_slow, total)
    assert same_code(total_slow, total_slow)


def test_a_repaired_helper_counts():
    assert not same_code(total_slow, total_with_another_helper)


def test_constants_and_defaults_count():
    assert not same_code(lambda x: x + 1, lambda x: x + 2)
    assert not same_code(lambda x, y=1: x, lambda x, y=2: x)
    assert not same_code(lambda x: x + 1, lambda x: x + 1.0)


def test_decorated_functions_are_compared_by_what_they_decorate():
    def make(step):
        @torch.no_grad()
        def decorated(x):
            return step(x)

        return decorated

    assert same_code(make(helper), make(helper_slow))
    assert not same_code(make(helper), make(faster_helper))
    assert not same_code(make(helper), helper)


def test_nested_functions_and_recursion():
    def outer_slow(values):
        def inner(value):
            return value + 1

        return [inner(v) for v in values]

    def outer(values):
        def inner(value):
            return value + 1

        return [inner(v) for v in values]

    def outer_fixed(values):
        def inner(value):
            return value + 2

        return [inner(v) for v in values]

    assert same_code(outer_slow, outer)
    assert not same_code(outer_slow, outer_fixed)
    assert same_code(recursive, recursive)


def recursive(n):
    return recursive(n - 1) if n else 0


def test_what_is_no_function_differs():
    assert not same_code(total_slow, print)
    assert not same_code(total_slow, 3)


def test_an_import_in_the_same_cell_changes_nothing():
    """Python compiles calls of an imported module's functions in another way."""
    function = (
        "def f(x):\n    y = math.floor(x)\n    for _ in range(3):\n        y += math.ceil(x)\n"
    )
    compiled = []
    for source in (function, f"import math\n\n\n{function}"):
        module = types.ModuleType("cell")
        exec(source, module.__dict__)
        compiled.append(module.f)
    assert same_code(*compiled)
    exec(function.replace("3", "4"), module.__dict__)
    assert not same_code(compiled[0], module.f)
