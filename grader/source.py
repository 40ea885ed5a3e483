"""Does a cell still hold the starter? Told from the compiled code, never from a timing."""

import dis
import types
from collections.abc import Callable

_PLAIN = (int, float, complex, str, bytes, type(None), tuple, list, dict, set, frozenset)


def same_code(left: Callable, right: Callable) -> bool:
    """Whether two functions take the same steps, whatever they and their helpers are called.

    Comments, layout, type hints, docstrings and the functions' own names do not count. Functions
    and classes of the same module that they use are compared as well, so that a repaired helper
    counts as a change. Anything that is no Python function differs from everything.
    """
    if not all(isinstance(f, types.FunctionType) for f in (left, right)):
        return False
    return _of_function(left, ()) == _of_function(right, ())


def _of_function(function: types.FunctionType, callers: tuple) -> tuple:
    if function in callers:
        return ("recursion", callers.index(function))
    callers = (*callers, function)
    own = {
        name: value
        for name, value in function.__globals__.items()
        if isinstance(value, types.FunctionType | type) and value.__module__ == function.__module__
    }
    enclosed = [_of_value(cell.cell_contents, callers) for cell in function.__closure__ or ()]
    defaults = [_of_value(value, callers) for value in function.__defaults__ or ()]
    keywords = [
        (name, _of_value(value, callers)) for name, value in (function.__kwdefaults__ or {}).items()
    ]
    return _steps(function.__code__, own, callers), enclosed, defaults, keywords


# A call by an attribute takes one or the other way, by whether the same cell imports the module.
_SAME = {"LOAD_METHOD": "LOAD_ATTR"}
_JUMPS = {*dis.hasjrel, *dis.hasjabs}


def _steps(code: types.CodeType, own: dict, callers: tuple) -> list[tuple]:
    """The instructions with what they refer to; positions in tables of constants do not count."""
    steps = []
    instructions = [one for one in dis.get_instructions(code) if one.opname != "PUSH_NULL"]
    numbers = {one.offset: number for number, one in enumerate(instructions)}
    for instruction in instructions:
        value = instruction.argval
        if instruction.opcode in _JUMPS:
            value = numbers.get(value, value)
        elif isinstance(value, types.CodeType):
            value = _steps(value, own, callers)
        elif instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") and value in own:
            value = _of_value(own[value], callers)
        elif isinstance(value, str) and ".<locals>." in value:
            value = "a nested name"  # holds the name of the function around it
        opname = _SAME.get(instruction.opname, instruction.opname)
        steps.append((opname, type(value), value))
    return steps


def _of_value(value: object, callers: tuple) -> object:
    if isinstance(value, types.FunctionType):
        return _of_function(value, callers)
    if isinstance(value, type):
        methods = {n: m for n, m in vars(value).items() if isinstance(m, types.FunctionType)}
        return [(name, _of_function(method, callers)) for name, method in sorted(methods.items())]
    if isinstance(value, _PLAIN):
        return type(value), repr(value)
    return type(value)  # the repr of most objects holds their address
