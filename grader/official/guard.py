"""Notices that code reaches for what counts and compares it, in the process where both run.

Nothing can protect a Python process from its own code for good. What decides about speed and
answers is therefore kept outside (`grader.official.referee`). The counts are not, and the known
ways to forge them end here: replaced functions of the grader, of PyTorch or of the task, frames and
objects that were not handed over, code under a false name, native code; work that is done where
nobody counts, in other threads and processes; and threads that go on between the questions.
"""

import _signal
import _thread
import ctypes
import importlib
import inspect
import signal
import sys
import threading
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from grader.exercise import Exercise

_WATCHED = (
    *("__main__", "builtins", "gc", "time", "random", "json", "hashlib", "base64", "weakref"),
    *("threading", "signal", "torch", "torch._C", "torch._C._autograd", "torch.autograd"),
    *("torch.autograd.graph", "torch.overrides", "torch.utils._python_dispatch"),
    *("torch.utils.flop_counter", "torch.utils.data", "torch.nn", "torch.nn.functional"),
    *("torch.optim", "torch.cuda", "torch.accelerator"),
)
# Their classes are watched as well. PyTorch itself changes those of torch.optim when they are used.
_WITH_CLASSES = ("__main__", "grader", "torch.cuda", "torch.nn", "torch.utils.data")
_CLASSES = (torch.Tensor, torch.Generator)
_KINDS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, type, property)
# Audit events (sys.audit) that no fix has a use for.
_FORBIDDEN = {
    "code.__new__",
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
    "marshal.loads",
    "signal.signal",  # a handler is handed a frame
    "sys._getframe",
    "sys._current_exceptions",
    "sys._current_frames",
    "sys.addaudithook",
    "sys.setprofile",
    "sys.settrace",
}
_FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
# Work that they begin is not counted.
_APART = {
    "_thread.start_new_thread",
    "_thread.start_joinable_thread",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.system",
    "subprocess.Popen",
}
# What can keep calls from the audit. PyTorch uses it where it has to.
_HIDING = {
    "DisableTorchFunction",
    "ExcludeDispatchKeyGuard",
    "_AutoDispatchBelowADInplaceOrView",
    "_AutoDispatchBelowAutograd",
    "_DisablePythonDispatcher",
    "_DisableTorchDispatch",
    "_ExcludeDispatchKeyGuard",
    "_ForceDispatchKeyGuard",
    "_SetExcludeDispatchKeyGuard",
    "_disable_current_modes",
    "_disable_infra_mode",
    "_dispatch_tls_set_dispatch_key_excluded",
    "_get_current_dispatch_mode",
    "_get_current_dispatch_mode_stack",
    "_get_current_function_mode",
    "_get_current_function_mode_stack",
    "_get_dispatch_mode",
    "_get_dispatch_stack_at",
    "_get_function_stack_at",
    "_pop_mode",
    "_pop_mode_temporarily",
    "_pop_torch_dispatch_stack",
    "_pop_torch_function_stack",
    "_push_mode",
    "_set_dispatch_mode",
    "_set_torch_function_state",
    "_unset_dispatch_mode",
    "_unset_infra_mode",
}
_COMPILER = str(Path(torch.__file__).with_name("_inductor"))  # runs g++
# PyTorch wraps these itself when its compiler is imported, which the first optimizer does.
_WRAPPED = {("torch", "manual_seed"), ("Module", "__init__"), ("Module", "__setstate__")}
# What happens in these modules and functions, their caller has done.
_GO_BETWEENS = (inspect.__file__, ctypes.__file__)
_WALKS = (traceback.walk_stack.__code__, traceback.walk_tb.__code__)
_CODE = ("__code__", "__defaults__", "__kwdefaults__")


class Guard:
    """Calls `reject(reason)`, which must not return, when something was touched.

    Made before the learner's code is loaded; `own` tells the learner's files by their names. `task`
    is the module of the task's cells, `exercise` the one that is answered: unless its race needs
    several cores, a fix has no use for threads and processes.
    """

    def __init__(
        self,
        reject: Callable[[str], None],
        own: Callable[[str], bool],
        task: types.ModuleType,
        exercise: Exercise,
    ) -> None:
        self._reject, self._own, self._task, self._exercise = reject, own, task, exercise
        self._alone = exercise.cores == 1
        # Python 3.11 raises no events of its own for these.
        start = _audited(_thread.start_new_thread, "_thread.start_new_thread")
        _thread.start_new_thread = _thread.start_new = threading._start_new_thread = start
        for module in (signal, _signal):
            module.signal = _audited(module.signal, "signal.signal")
        for module in (torch._C, torch.utils._python_dispatch, torch.overrides):
            for name in _HIDING & vars(module).keys():
                setattr(module, name, _audited(getattr(module, name), f"torch.{name}"))
        modules = [name for name in sys.modules if name.split(".")[0] == "grader"]
        self._things = [importlib.import_module(name) for name in (*_WATCHED, *modules)]
        self._things += [
            thing
            for module in self._things
            for thing in vars(module).values()
            if isinstance(thing, type) and thing.__module__.startswith(_WITH_CLASSES)
        ]
        self._things += _CLASSES
        self._things += [thing for thing in vars(task).values() if self._is_of_the_task(thing)]
        self._before, self._held = self._state(), self._contents()
        looking = threading.local()  # at the caller, which is an event by itself

        def hook(event: str, arguments: tuple) -> None:
            if getattr(looking, "now", False):
                return
            looking.now = True
            try:
                if reason := self._objection(event, arguments):
                    reject(f"The code {reason}.")
            finally:
                looking.now = False

        sys.addaudithook(hook)

    def check(self) -> None:
        """Is everything in place?"""
        now = self._state()
        for key, was in self._before.items():
            if now.get(key) is not was:
                self._reject(f"The code replaced {key[1]} of {key[0]}.")
        added = [key for key in now if key not in self._before and key[0] == self._task.__name__]
        if added:
            self._reject(f"The code added {added[0][1]} to the task.")
        contents = self._contents()
        for name, was in self._held.items():
            if contents.get(name) != was:
                self._reject(f"The code changed {name} of the task.")
        for thread in threading.enumerate():
            target = getattr(thread, "_target", None)
            if isinstance(target, types.FunctionType) and self._own(target.__code__.co_filename):
                self._reject("The code leaves a thread running.")

    def _is_of_the_task(self, thing: Any) -> bool:
        return isinstance(thing, type) and thing.__module__ == self._task.__name__

    def _state(self) -> dict[tuple[str, str], Any]:
        state = {
            (thing.__name__, name): value
            for thing in self._things
            for name, value in vars(thing).items()
            if isinstance(value, _KINDS) and (thing.__name__, name) not in _WRAPPED
        }
        for name, value in vars(self._task).items():
            if name != "__warningregistry__":  # warnings of the task's own code
                state[self._task.__name__, name] = value
                if isinstance(value, types.FunctionType):
                    for number, cell in enumerate(value.__closure__ or ()):
                        state[name, f"enclosed value {number}"] = cell.cell_contents
        return state | {(self._exercise.id, k): v for k, v in vars(self._exercise).items()}

    def _contents(self) -> dict[str, str]:
        """Constants of the task that could be changed in place."""
        return {
            name: repr(value)
            for name, value in vars(self._task).items()
            if isinstance(value, dict | list | set) and not name.startswith("__")
        }

    def _objection(self, event: str, arguments: tuple) -> str:
        """What is wrong with what happens; empty where it is not the learner's, or is harmless."""
        if event == "object.__setattr__" and arguments[1] in _CODE:
            reason = f"sets {arguments[1]} of a function"
        elif event == "object.__getattr__" and arguments[1] in _FRAMES:
            reason = "looks at frames"
        elif event == "compile" and isinstance(arguments[1], str) and not self._own(arguments[1]):
            reason = "compiles code under the name of another file"
        elif event in _FORBIDDEN or event.startswith(("ctypes.", "torch.")):
            reason = f"uses {event}"
        elif event in _APART and self._alone and self._works_apart():
            return "starts a thread or a process, where nothing can be counted"
        else:
            return ""
        return reason if self._own(_caller()) else ""

    def _works_apart(self) -> bool:
        files = [frame.f_code.co_filename for frame in _frames()]
        return any(map(self._own, files)) and not any(file.startswith(_COMPILER) for file in files)


def _audited(function: Callable, event: str) -> Callable:
    def audited(*arguments: Any) -> Any:
        sys.audit(event)
        return function(*arguments)

    return audited


def _frames() -> Iterator[types.FrameType]:
    """From the code that caused the event which is being looked at, outwards."""
    frame = sys._getframe()
    while frame and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    while frame:
        yield frame
        frame = frame.f_back


def _caller() -> str:
    """The file of the code that caused the event which is being looked at."""
    for frame in _frames():
        code = frame.f_code
        if code.co_filename not in _GO_BETWEENS and code not in _WALKS:
            return code.co_filename
    return ""
