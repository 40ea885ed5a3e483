"""Runs a program of strangers where it can reach nothing: bubblewrap, and limits.

Inside there is no network, nothing to write to but small private folders, and nothing to read but
the system's programs, the Python environment, the package and what the caller names; no other
process, no privileges. All of it ends with the program, and the program with its caller.

Standard library only. Needs Linux, bubblewrap (`bwrap`) and user namespaces.
"""

import contextlib
import functools
import glob
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from grader import records

PROCESSES = 1024  # and threads, together
FILE_BYTES = 2**30
FOLDER_BYTES = 2**29  # of each private folder: /tmp, the home, shared memory
MEMORY_BYTES = 8 * 2**30
HOME = "/home/learner"
WITHOUT = "none: submissions ran as you, with your files and your network"
_PACKAGE = Path(__file__).parent.parent
_CGROUPS = Path("/sys/fs/cgroup")
# Enters the control groups, whose files stand before "--", then becomes the program after it.
_ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'


class SandboxError(RuntimeError):
    """There is no sandbox on this machine, and nobody has said that none is needed."""


class Sandbox:
    """A place for one program. `close` it when the program has ended.

    `readable`, `writable`: what of the file system is there, at its own place; `folder`: where the
    program starts. `wanted=False` runs the program as it is, by a decision of the teacher.
    Raises SandboxError, which says what to do, where bubblewrap cannot run.
    """

    def __init__(
        self,
        *,
        readable: Sequence[Path] = (),
        writable: Sequence[Path] = (),
        folder: Path | None = None,
        wanted: bool = True,
    ) -> None:
        self.readable, self.writable, self.folder = readable, writable, folder
        self.wanted = wanted
        self._groups: list[Path] = []
        if sys.platform != "linux":
            raise SandboxError("official grading needs Linux (or WSL)")
        if wanted:
            if why := obstacle():
                raise SandboxError(why)
            self._groups = _own_groups()
        self.description = self._describe()

    def _describe(self) -> str:
        """For the record: what kept the program away from everything else."""
        if not self.wanted:
            return WITHOUT
        if self._groups:
            return "bubblewrap; memory and processes limited by control groups"
        memory = "not limited" if _cuda_devices() else "limited by address space"
        return f"bubblewrap; processes limited, memory {memory}"

    def environment(self) -> dict[str, str]:
        """For the program: one thread, and no lines of the profiler on stderr."""
        ours = {"OMP_NUM_THREADS": "1", "KINETO_LOG_LEVEL": "99"}
        if not self.wanted:
            return os.environ | ours
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return kept | ours | _OWN | {"PATH": f"{sys.prefix}/bin:/usr/bin:/bin"}

    def command(self, program: Sequence[str]) -> list[str]:
        """What to start in the place of `program`."""
        if not self.wanted:
            return list(program)
        limits = [f"--fsize={FILE_BYTES}", "--core=0", f"--nproc={PROCESSES}"]
        if not self._groups and not _cuda_devices():  # CUDA reserves more than any limit
            limits.append(f"--as={_memory()}")
        entered = [str(group / "cgroup.procs") for group in self._groups]
        return [
            *("sh", "-c", _ENTER, "sh", *entered, "--"),
            *("prlimit", *limits, "--", "bwrap", *self._walls(), "--"),
            *program,
        ]

    def _walls(self) -> list[str]:
        walls = _bare_walls()
        for name, value in self.environment().items():
            walls += ["--setenv", name, value]
        for path in dict.fromkeys([sys.base_prefix, sys.prefix, _PACKAGE, *self.readable]):
            walls += ["--ro-bind", str(path), str(path)]
        for file in _font_lists():  # matplotlib else looks for fonts in each new home
            walls += ["--ro-bind", str(file), f"{HOME}/.cache/matplotlib/{file.name}"]
        walls += ["--ro-bind-try", str(records.own_file()), f"{_OWN['GRADER_VAR']}/records.json"]
        for path in self.writable:
            walls += ["--bind", str(path), str(path)]
        walls += ["--chdir", str(self.folder or HOME)]
        return [*walls, "--remount-ro", "/", "--remount-ro", "/dev"]

    def members(self) -> list[int] | None:
        """The processes of the program, or None where no control group knows them."""
        if not self._groups:
            return None
        return [int(pid) for pid in (self._groups[0] / "cgroup.procs").read_text().split()]

    def close(self) -> None:
        for group in self._groups:
            _remove(group)
        self._groups = []


_OWN = {
    "HOME": HOME,
    "USER": "learner",
    "LOGNAME": "learner",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GRADER_VAR": f"{HOME}/var",
}
_KEPT = ("CUDA_VISIBLE_DEVICES", "NBGRADER_EXECUTION", "TZ")


@functools.cache
def obstacle() -> str:
    """Why there is no sandbox on this machine, and what to do; empty where there is one."""
    for program in ("bwrap", "prlimit"):
        if shutil.which(program) is None:
            why = f"{program} is not installed (Debian, Ubuntu: apt install bubblewrap util-linux)"
            return _refusal(why)
    command = ["bwrap", *_bare_walls(), "--", "/bin/true"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        return _refusal(f"bubblewrap cannot run here ({done.stderr.strip()})")
    return ""


def _refusal(why: str) -> str:
    return (
        f"no sandbox: {why}. To grade without one, where nothing on this machine or in its network "
        "is worth protecting: sandboxed=False in nbgrader_config.py, or --unsandboxed"
    )


def _bare_walls() -> list[str]:
    """Options of bubblewrap that do not depend on what is to be run."""
    walls = ["--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent"]
    walls += ["--new-session", "--clearenv", "--uid", "1000", "--gid", "1000"]
    walls += ["--hostname", "grader", "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr"]
    for path in map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64")):
        if path.is_symlink():
            walls += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            walls += ["--ro-bind", str(path), str(path)]
    for path in ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"):
        walls += ["--ro-bind-try", path, path]
    walls += ["--proc", "/proc", "--dev", "/dev"]
    for path in _settings_of_the_kernel():
        walls += ["--ro-bind", path, path]
    for device in _cuda_devices():
        walls += ["--dev-bind", device, device]
    if _cuda_devices():
        walls += ["--ro-bind", "/sys", "/sys"]
    for folder in ("/tmp", HOME, "/dev/shm"):
        walls += ["--size", str(FOLDER_BYTES), "--tmpfs", folder]
    return walls


def _settings_of_the_kernel() -> list[str]:
    """What root may write in /proc, such as /proc/sys/kernel/core_pattern, a way out of here.

    Inside, a submission that root grades is still the owner of these files.
    """
    return [
        str(path)
        for path in sorted(Path("/proc").iterdir())
        if not (path.name.isdigit() or path.is_symlink())
        and (path.is_dir() or path.stat().st_mode & 0o222)
    ]


def _cuda_devices() -> list[str]:
    return sorted(glob.glob("/dev/nvidia*"))


def _font_lists() -> list[Path]:
    return sorted(Path.home().glob(".cache/matplotlib/fontlist-*.json"))


def _memory() -> int:
    """At most three quarters of what the machine has."""
    return min(MEMORY_BYTES, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4)


# ---- control groups ------------------------------------------------------------------------------


def _own_groups() -> list[Path]:
    """New control groups with the limits; none where this user may make none."""
    memory, groups = str(_memory()), []
    name = f"grader-{os.getpid()}-{secrets.token_hex(8)}"
    if (_CGROUPS / "memory").is_dir():  # version 1: one tree for each kind of limit
        wanted = {"memory": {"memory.limit_in_bytes": memory}, "pids": {"pids.max": PROCESSES}}
    else:
        wanted = {"": {"memory.max": memory, "pids.max": PROCESSES}}
    try:
        for kind, limits in wanted.items():
            _remove_abandoned(_CGROUPS / kind)
            group = _CGROUPS / kind / name
            group.mkdir()
            groups.append(group)
            for file, limit in limits.items():
                (group / file).write_text(f"{limit}\n")
    except OSError:
        for group in groups:
            _remove(group)
        return []
    return groups


def _remove_abandoned(folder: Path) -> None:
    """Groups whose maker was killed before it could remove them."""
    for group in folder.glob("grader-*-*"):
        if not Path("/proc", group.name.split("-")[1]).exists():
            with contextlib.suppress(OSError):
                group.rmdir()


def _remove(group: Path) -> None:
    """Its processes have been killed, and may take a moment to be gone."""
    for _ in range(100):
        with contextlib.suppress(FileNotFoundError):
            try:
                group.rmdir()
            except OSError:
                time.sleep(0.05)
                continue
        return
