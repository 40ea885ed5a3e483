"""Notices that code reaches for what counts and compares it, in the process where both run.

Nothing can protect a Python process from its own code for good. What decides about speed and
answers is therefore kept outside (`grader.official.referee`). The counts are not, and the known
ways to forge them end here: replaced functions of the grader or of PyTorch, frames and objects that
were not handed over, native code; and threads that go on between the questions.
"""

import ctypes
import importlib
import inspect
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

import torch

_WATCHED = (
    *("builtins", "gc", "time", "random", "json", "hashlib", "base64", "weakref", "threading"),
    *("torch", "torch._C", "torch._C._autograd", "torch.autograd", "torch.autograd.graph"),
    *("torch.overrides", "torch.utils._python_dispatch", "torch.utils.flop_counter"),
    *("torch.nn.functional", "torch.optim", "torch.cuda", "torch.accelerator"),
)
_CLASSES = (torch.Tensor, torch.nn.Module, torch.Generator)
_KINDS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, type, property)
# Audit events (sys.audit) that no fix has a use for.
_FORBIDDEN = {
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
    "sys._getframe",
    "sys._current_frames",
    "sys.addaudithook",
    "sys.setprofile",
    "sys.settrace",
}
# PyTorch wraps these itself when its compiler is imported, which the first optimizer does.
_WRAPPED = {("torch", "manual_seed"), ("Module", "__init__"), ("Module", "__setstate__")}
# What happens in these modules, their caller has done.
_GO_BETWEENS = (inspect.__file__, ctypes.__file__)
_CODE = ("__code__", "__defaults__", "__kwdefaults__")


class Guard:
    """Calls `reject(reason)`, which must not return, when something was touched.

    Made before the learner's code is loaded; `own` tells the learner's files by their names.
    """

    def __init__(self, reject: Callable[[str], None], own: Callable[[str], bool]) -> None:
        modules = [name for name in sys.modules if name.split(".")[0] == "grader"]
        self._things = [importlib.import_module(name) for name in (*_WATCHED, *modules)]
        self._things += [
            thing
            for module in self._things
            if module.__name__.startswith("grader")
            for thing in vars(module).values()
            if isinstance(thing, type) and thing.__module__.startswith("grader")
        ]
        self._things += _CLASSES
        self._before = self._state()
        self._reject, self._own = reject, own
        looking = False  # at the caller, which is an event by itself

        def hook(event: str, arguments: tuple) -> None:
            nonlocal looking
            if event == "object.__setattr__":
                reason = arguments[1] in _CODE and f"sets {arguments[1]} of a function"
            else:
                forbidden = event in _FORBIDDEN or event.startswith("ctypes.")
                reason = forbidden and f"uses {event}"
            if not reason or looking:
                return
            looking = True
            try:
                if own(_caller()):
                    reject(f"The code {reason}.")
            finally:
                looking = False

        sys.addaudithook(hook)

    def check(self) -> None:
        """Is everything in place?"""
        now = self._state()
        for key, was in self._before.items():
            if now.get(key) is not was:
                self._reject(f"The code replaced {key[1]} of {key[0]}.")
        for thread in threading.enumerate():
            target = getattr(thread, "_target", None)
            if isinstance(target, types.FunctionType) and self._own(target.__code__.co_filename):
                self._reject("The code leaves a thread running.")

    def _state(self) -> dict[tuple[str, str], Any]:
        return {
            (thing.__name__, name): value
            for thing in self._things
            for name, value in vars(thing).items()
            if isinstance(value, _KINDS) and (thing.__name__, name) not in _WRAPPED
        }


def _caller() -> str:
    """The file of the code that caused the event which is being looked at."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_code.co_filename in _GO_BETWEENS:
        frame = frame.f_back
    return frame.f_code.co_filename
