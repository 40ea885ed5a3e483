"""What `two_ranks.Ranks` starts twice: wait for a task, do it, send the result.

usage: python rank.py ADDRESS BACKEND IDLE RANK

ADDRESS: of the notebook's socket. IDLE: seconds without a task, after which a rank ends. RANK: 0
or 1.

A second thread reads the tasks. So a rank notices that the notebook has closed the connection, or
has been killed, even while its first thread waits for the other rank.
"""

import ast
import contextlib
import functools
import importlib
import io
import linecache
import os
import pickle
import queue
import sys
import threading
import traceback
from collections.abc import Collection
from multiprocessing.connection import Client, Connection

import torch
import torch.distributed as dist

DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)


def main(address: str, backend: str, idle: str, rank: str) -> None:
    connection, tasks = Client(address), queue.Queue()
    threading.Thread(target=listen, args=(connection, tasks), daemon=True).start()
    if backend == "nccl":
        torch.cuda.set_device(int(rank))
    meeting_place = f"file://{address}.store"
    dist.init_process_group(backend, meeting_place, rank=int(rank), world_size=2)
    connection.send_bytes(b"%d" % dist.get_rank())
    with contextlib.suppress(queue.Empty):
        while True:
            connection.send_bytes(answer(tasks.get(timeout=float(idle)), connection))


def listen(connection: Connection, tasks: queue.Queue) -> None:
    try:
        while True:
            tasks.put(pickle.loads(connection.recv_bytes()))
    except (EOFError, ConnectionError):  # the notebook has ended, or has closed the connection
        pass
    except Exception:
        traceback.print_exc()
    leave()


def leave() -> None:
    """End this process at once, whatever its first thread is waiting for."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def answer(task: dict, connection: Connection) -> bytes:
    """Pickled: ("done", result, what was printed) or ("error", reason, what was printed).

    Sends ("stuck", place, what was printed) where the task is not done in time.
    """
    printed = io.StringIO()

    def reply(outcome: str, value: object) -> bytes:
        return pickle.dumps((outcome, value, printed.getvalue()))

    clock = threading.Timer(
        task["timeout"], lambda: connection.send_bytes(reply("stuck", place_in(task["cells"])))
    )
    clock.start()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            names = names_of(tuple(task["cells"].items()), tuple(task["names"].items()))
            call = [names[task["function"]], *task["arguments"]]
            if task["within"]:
                call.insert(0, imported(*task["within"]))
            function, *arguments = call
            result = function(*arguments)
            if dist.get_backend() == "nccl":
                torch.cuda.synchronize()  # the caller may be timing this
            return reply("done", result)
    except (Exception, SystemExit) as error:
        return reply("error", describe(error, task["cells"]))
    finally:
        clock.cancel()
        clock.join()


@functools.lru_cache(maxsize=64)
def names_of(cells: tuple, names: tuple) -> dict[str, object]:
    """What the cells define, with the names imported for them; what they only call is left out."""
    namespace = {"device": own_device()}
    namespace |= {name: imported(*address) for name, address in names}
    for file, source in cells:
        lines = source.splitlines(keepends=True)
        linecache.cache[file] = (len(source), None, lines, file)
        tree = ast.parse(source)
        tree.body = [statement for statement in tree.body if isinstance(statement, DEFINITIONS)]
        exec(compile(tree, file, "exec"), namespace)
    return namespace


def imported(module: str, name: str) -> object:
    found = importlib.import_module(module)
    return getattr(found, name) if name else found


def own_device() -> torch.device:
    if dist.get_backend() == "nccl":
        return torch.device("cuda", torch.cuda.current_device())
    return torch.device("cpu")


def place_in(files: Collection[str]) -> str:
    """Where the first thread is, in the lines of these files."""
    frames = traceback.extract_stack(sys._current_frames()[threading.main_thread().ident])
    own = [frame for frame in frames if frame.filename in files]
    if not own:
        return f"is in {frames[-1].name}"
    return f"is in line {own[-1].lineno}, {own[-1].line!r}"


def describe(error: BaseException, files: Collection[str]) -> str:
    """The error and the lines of these files that led to it."""
    text = "".join(traceback.format_exception_only(error)).strip()
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in files]
    return "\n".join([text, *(f"line {f.lineno}, in {f.name}: {f.line}" for f in frames)])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BaseException:
        traceback.print_exc()
    leave()
