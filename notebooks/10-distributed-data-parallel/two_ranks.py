"""Two processes ("ranks") of one process group, for use from a notebook.

`torchrun` runs a script to its end. `Ranks` keeps two ranks (`rank.py`) for many calls, so that
calling a function in both takes milliseconds, not the seconds in which a process imports PyTorch.

No process is left behind. A script that takes too long is stopped; a rank of `Ranks` ends when a
call takes too long, when it was idle for IDLE seconds, and when this process ends, however
that happens.
"""

import ast
import atexit
import inspect
import linecache
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
IDLE = 30.0  # seconds without a task, after which a rank ends
START = 90.0  # seconds in which ranks must have started
GRACE = 40.0  # seconds for torchrun to end its ranks, which it kills after 30
RANK = Path(__file__).with_name("rank.py")
# An interrupt of the notebook must not reach the processes: what becomes of them is decided here.
APART = {"env": os.environ | {"OMP_NUM_THREADS": "1"}, "start_new_session": True}


class RankError(RuntimeError):
    """A function raised an exception in a rank, or ended it."""


def torchrun(script: str | os.PathLike, *arguments: object, timeout: float = 60.0) -> str:
    """Run `torchrun --standalone --nproc-per-node=2 script arguments`; return what it printed.

    Raises TimeoutError after `timeout` seconds, when its processes have been ended, and
    RuntimeError where it fails.
    """
    held, alive = os.pipe()
    with tempfile.TemporaryDirectory(prefix="ranks-") as folder:
        command = [*TORCHRUN, "--log-dir", folder, str(script), *map(str, arguments)]
        process = subprocess.Popen(
            [sys.executable, __file__, str(held), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=[held],
            **APART,
        )
        os.close(held)
        try:
            printed, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{script} was stopped: it took longer than {timeout:g} s") from None
        finally:
            os.close(alive)  # upon which the guard ends what still runs
            process.wait()
            process.stdout.close()
            process.stderr.close()
    if process.returncode:
        raise RuntimeError(f"{script} failed:\n{errors[-2000:]}")
    return printed


def guard(held: int, command: list[str]) -> int:
    """Run `command`, and end it when nobody holds the other end of the pipe `held` any more."""
    process = subprocess.Popen(command, start_new_session=True)
    while process.poll() is None:
        if wait([held], timeout=0.1):
            _stop(process)
    return process.returncode


def _stop(process: subprocess.Popen) -> None:
    """End torchrun and, through it, its ranks, which have sessions of their own."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Ranks:
    """Two ranks that call functions. They start when first needed, which takes some seconds.

    backend: "gloo", or "nccl" where each rank has a GPU of its own.
    """

    def __init__(self, backend: str = "gloo") -> None:
        self.backend = backend
        self._folder: tempfile.TemporaryDirectory | None = None
        self._processes: list[subprocess.Popen] = []
        self._connections: list[Connection] = []  # to rank 0, to rank 1
        self._used = 0.0  # when they finished their last task
        atexit.register(self.close)

    def run(
        self,
        function: Callable,
        *arguments: Any,
        within: Callable | None = None,
        timeout: float = 10.0,
    ) -> list:
        """Call `function(*arguments)` in both ranks at once; return the result of each.

        A rank gets the cell in which the function is defined, what that cell uses of other cells'
        functions and of imported names, and `device`: its own GPU, or the CPU. With `within`, a
        function of an imported module, `within(function, *arguments)` is called instead. What the
        ranks print is printed here.

        Raises RankError where a rank raises an exception, and TimeoutError, which says what each
        rank was doing, where they are not done after `timeout` seconds. Both end the ranks.
        """
        cells, names = _needed_by(function)
        task = {
            "function": function.__name__,
            "cells": cells,
            "names": names,
            "within": _address(within),
            "arguments": arguments,
            "timeout": timeout,
        }
        try:
            replies = self._asked(task)
            for rank, (_, _, printed) in enumerate(replies):
                for line in printed.splitlines():
                    print(f"[rank {rank}] {line}")
            return _results(replies, timeout)
        except BaseException:  # an interrupt, for instance: they might be at work still
            self.close()
            raise

    def close(self) -> None:
        """End the ranks. They start again when needed."""
        for connection in self._connections:
            connection.close()
        self._connections = []
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes = []
        if self._folder:
            self._folder.cleanup()
            self._folder = None

    def _asked(self, task: dict) -> list[tuple]:
        """The replies of both ranks; of new ones, where these had ended for want of tasks."""
        may_have_ended = time.monotonic() - self._used > IDLE / 2
        for again in (may_have_ended, False):
            try:
                return self._replies(task)
            except (EOFError, ConnectionError):
                if not again:
                    log = Path(self._folder.name, "log").read_text().split("\n")
                    words = [line.strip() for line in log if line.strip()] or ["(nothing)"]
                    raise RankError(f"a rank ended; its last words: {words[-1]}") from None
                self.close()
        raise AssertionError("the second time returns or raises")

    def _replies(self, task: dict) -> list[tuple]:
        """For every rank: what became of the call, its result or reason, what was printed.

        A rank says itself when it is stuck; the deadline here is for one that cannot.
        """
        if not self._processes:
            self._start()
        for connection in self._connections:
            connection.send_bytes(pickle.dumps(task))
        replies: dict[Connection, tuple] = {}
        deadline = time.monotonic() + task["timeout"] + 5
        while len(replies) < 2:
            missing = [one for one in self._connections if one not in replies]
            ready = wait(missing, max(0.0, deadline - time.monotonic()))
            replies |= {one: pickle.loads(one.recv_bytes()) for one in ready}
            if not ready:
                replies |= {one: ("stuck", "did not answer", "") for one in missing}
            if any(outcome == "error" for outcome, _, _ in replies.values()):
                deadline = min(deadline, time.monotonic() + 1)  # the other may wait for it in vain
        self._used = time.monotonic()
        return [replies[one] for one in self._connections]

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ranks-")
        address, log = (os.path.join(self._folder.name, name) for name in ("socket", "log"))
        with socket.socket(socket.AF_UNIX) as server, open(log, "w") as output:
            server.bind(address)
            server.listen(2)
            server.settimeout(0.5)
            for rank in (0, 1):
                arguments = [address, self.backend, str(IDLE), str(rank)]
                process = subprocess.Popen(
                    [sys.executable, str(RANK), *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    **APART,
                )
                self._processes.append(process)
            for _ in range(2):
                self._connections.append(self._accepted(server))
        order = [int(connection.recv_bytes()) for connection in self._connections]
        self._connections = [self._connections[order.index(rank)] for rank in (0, 1)]

    def _accepted(self, server: socket.socket) -> Connection:
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and all(p.poll() is None for p in self._processes):
            try:
                return Connection(server.accept()[0].detach())
            except TimeoutError:
                continue
        raise ConnectionError("the ranks did not start")


def _results(replies: list[tuple], timeout: float) -> list:
    outcomes = [outcome for outcome, _, _ in replies]
    if "error" in outcomes:
        rank = outcomes.index("error")
        raise RankError(f"rank {rank}: {replies[rank][1]}")
    if "stuck" in outcomes:
        states = [
            f"rank {rank} {value if outcome == 'stuck' else 'has finished'}"
            for rank, (outcome, value, _) in enumerate(replies)
        ]
        raise TimeoutError(f"after {timeout:g} s " + ", ".join(states))
    return [value for _, value, _ in replies]


def _needed_by(function: Callable) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """What a rank needs to call a function: cells, as file name -> source, and imported names, as
    name -> (module, name in that module).

    Raises TypeError for what is neither imported nor defined in a cell by `def`.
    """
    if _address(function):
        return {}, {function.__name__: _address(function)}
    cells: dict[str, str] = {}
    names: dict[str, tuple[str, str]] = {}

    def gather(function: Callable) -> None:
        function = inspect.unwrap(function)
        file = function.__code__.co_filename
        if file in cells:
            return
        cells[file] = "".join(linecache.getlines(file))
        if not cells[file]:
            raise TypeError(f"the source of {function.__name__} is not known: run its cell again")
        for node in ast.walk(ast.parse(cells[file])):
            value = function.__globals__.get(node.id) if isinstance(node, ast.Name) else None
            if _address(value):
                names[node.id] = _address(value)
            elif isinstance(value, types.FunctionType):
                gather(value)

    if not isinstance(function, types.FunctionType) or not function.__name__.isidentifier():
        raise TypeError(f"{function!r:.80} cannot be sent to a rank: define it by def, in a cell")
    gather(function)
    return dict(reversed(cells.items())), names


def _address(value: Any) -> tuple[str, str] | None:
    """Where a rank can import a value from: (module, name in it), with no name for a module."""
    if isinstance(value, types.ModuleType):
        return value.__name__, ""
    module = sys.modules.get(getattr(value, "__module__", None))
    name = getattr(value, "__qualname__", "")
    is_there = getattr(module, "__spec__", None) and getattr(module, name, None) is value
    return (module.__name__, name) if is_there else None


if __name__ == "__main__":
    sys.exit(guard(int(sys.argv[1]), sys.argv[2:]))
