"""The sandbox holds: what a submission may read, write, reach and use up."""

import contextlib
import json
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader import records
from grader.official import sandbox
from grader.official.kernel import SandboxedKernel
from grader.official.sandbox import Sandbox, SandboxError

needs_bubblewrap = pytest.mark.skipif(bool(sandbox.obstacle()), reason=sandbox.obstacle())


def run(code, *, timeout=60, **options):
    """What a Python program prints in a sandbox, and its exit status."""
    with contextlib.closing(Sandbox(**options)) as place:
        done = subprocess.run(
            place.command([sys.executable, "-I", "-c", code]),
            env=place.environment(),
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    return (done.stdout + done.stderr).strip(), done.returncode


TRY = """
def tried(action, *arguments):
    try:
        action(*arguments)
    except OSError as error:
        return error.strerror
    return "done"

"""


@needs_bubblewrap
def test_there_is_no_network():
    code = "import socket; print(tried(socket.create_connection, ('127.0.0.1', PORT), 2))"
    with socket.create_server(("127.0.0.1", 0)) as server:
        printed, _ = run(TRY + code.replace("PORT", str(server.getsockname()[1])))
    assert printed == "Connection refused"  # of its own loopback; nothing else is there
    code = "import socket; print(tried(socket.create_connection, ('192.0.2.1', 80), 2))"
    assert run(TRY + code)[0] == "Network is unreachable"


@needs_bubblewrap
def test_nothing_can_be_written_but_private_folders(tmp_path):
    paths = ["/x", "/dev/x", "/usr/x", "/etc/x", f"{sys.prefix}/x", f"{tmp_path}/x"]
    paths += [str(Path(sandbox.__file__)), "/proc/sys/kernel/hostname", "/home/x"]
    code = f"for path in {paths!r}: print(path, tried(open, path, 'a'))"
    printed, _ = run(TRY + code, readable=[tmp_path])
    assert "done" not in printed and len(printed.splitlines()) == len(paths)
    assert list(tmp_path.iterdir()) == []
    code = "for path in ('/tmp/x', '/home/learner/x', '/dev/shm/x'): print(tried(open, path, 'w'))"
    assert run(TRY + code)[0].split() == ["done"] * 3


@needs_bubblewrap
def test_of_the_course_only_what_is_named_can_be_read(tmp_path):
    root = Path(sandbox.__file__).parents[2]
    (tmp_path / "gradebook.db").write_text("secret")
    paths = [root / "solutions", root / "var", root / "tests", Path.home() / ".ssh", tmp_path]
    code = f"import os\nfor path in {[str(path) for path in paths]!r}: print(os.path.exists(path))"
    assert set(run(code)[0].split()) == {"False"}
    printed, _ = run(f"print(open({str(tmp_path / 'gradebook.db')!r}).read())", readable=[tmp_path])
    assert printed == "secret"


@needs_bubblewrap
def test_nothing_of_the_kernel_can_be_set():
    """Root owns these files, and is who the sandbox's user is where root grades."""
    code = """
import os
found = []
for folder, folders, files in os.walk("/proc"):
    if folder == "/proc":
        folders[:] = [name for name in folders if not name.isdigit()]
    found += [os.path.join(folder, name) for name in files]
print(len(found), [path for path in found if os.access(path, os.W_OK)])
print(tried(open, "/proc/sys/kernel/core_pattern", "a"))
"""
    found, core_pattern = run(TRY + code)[0].splitlines()
    number, writable = found.split(" ", 1)
    assert int(number) > 100 and writable == "[]"
    assert core_pattern in ("Read-only file system", "Permission denied")


@needs_bubblewrap
def test_it_has_no_privileges_and_sees_no_other_process():
    code = """
import os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid(), int(status["CapEff"], 16), status["NoNewPrivs"].strip())
print(len([name for name in os.listdir("/proc") if name.isdigit()]))
"""
    assert run(code)[0].splitlines() == ["1000 0 1", "2"]  # itself and the sandbox's first
    # No user namespace of its own, from which more of the kernel could be reached.
    code = "import subprocess; print(subprocess.run(['unshare', '--user', 'true']).returncode)"
    assert "unshare failed" in run(code)[0]


@needs_bubblewrap
def test_the_environment_of_the_teacher_stays_outside(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    printed, _ = run("import json, os; print(json.dumps(dict(os.environ)))")
    environment = json.loads(printed)
    assert "SECRET_TOKEN" not in environment and "abc" not in environment.values()
    assert environment["CUDA_VISIBLE_DEVICES"] == ""
    assert environment["OMP_NUM_THREADS"] == "1"


@needs_bubblewrap
def test_memory_is_limited(monkeypatch):
    monkeypatch.setattr(sandbox, "MEMORY_BYTES", 2**29)
    printed, status = run("x = bytearray(2**30); print('had it')")
    assert "had it" not in printed and status != 0


@needs_bubblewrap
def test_files_are_limited(monkeypatch):
    monkeypatch.setattr(sandbox, "FOLDER_BYTES", 2**20)
    code = "print(tried(open('/tmp/x', 'wb', 0).write, bytes(2**21)))\n"
    code += "import os; print(os.path.getsize('/tmp/x'))"
    assert int(run(TRY + code)[0].splitlines()[-1]) <= 2**20
    monkeypatch.setattr(sandbox, "FOLDER_BYTES", 2**24)
    monkeypatch.setattr(sandbox, "FILE_BYTES", 2**20)
    code = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + code
    assert int(run(TRY + code)[0].splitlines()[-1]) <= 2**20


@needs_bubblewrap
def test_processes_are_limited(monkeypatch):
    monkeypatch.setattr(sandbox, "PROCESSES", 20)
    code = """
import subprocess
started = 0
try:
    for _ in range(100):
        subprocess.Popen(["sleep", "60"])
        started += 1
except OSError:
    pass
print(started)
"""
    printed, _ = run(code)
    assert int(printed) < 20


def is_sleeping(seconds):
    """Whether a process `sleep SECONDS` is there."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has just ended
            if file.read_bytes() == f"sleep\0{seconds}\0".encode():
                return True
    return False


@needs_bubblewrap
def test_everything_ends_with_the_program_and_its_traces_are_gone():
    seconds = str(70000 + secrets.randbelow(9999))
    before = set(Path("/sys/fs/cgroup").glob("*/grader-*"))
    run(f"import subprocess; subprocess.run(['sh', '-c', 'setsid sleep {seconds} &'])")
    assert not is_sleeping(seconds)
    assert set(Path("/sys/fs/cgroup").glob("*/grader-*")) <= before


@needs_bubblewrap
def test_the_programs_end_with_whoever_started_them():
    """A grader that is killed leaves nothing running."""
    seconds = str(80000 + secrets.randbelow(9999))
    code = f"""
import subprocess, sys
from grader.official.sandbox import Sandbox
place = Sandbox()
subprocess.run(place.command(["sleep", "{seconds}"]), env=place.environment())
"""
    with subprocess.Popen([sys.executable, "-c", code]) as grader:
        wait_until(lambda: is_sleeping(seconds))
        grader.kill()
    wait_until(lambda: not is_sleeping(seconds))
    left = f"*/grader-{grader.pid}-*"
    wait_until(lambda: run("") and not list(Path("/sys/fs/cgroup").glob(left)))  # the next tidies


def wait_until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@needs_bubblewrap
def test_this_machines_records_are_there(monkeypatch, tmp_path):
    monkeypatch.setenv("GRADER_VAR", str(tmp_path))
    records.own_file().write_text("[]")
    code = "from grader import records; print(records.own_file().read_text())"
    assert run(code)[0] == "[]"


@needs_bubblewrap
@pytest.mark.skipif(os.getuid() != 0, reason="the other tests run as an ordinary user")
def test_it_works_for_an_ordinary_user_as_well(tmp_path):
    """Which has no control groups. With the system's Python, as this one's may not be readable."""
    nobody = pwd.getpwnam("nobody")
    package = tmp_path / "grader"
    package.mkdir()
    os.chmod(tmp_path, 0o755)
    for folder in list(tmp_path.parents)[:-1]:
        if folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    source = Path(sandbox.__file__)
    (package / "__init__.py").touch()
    shutil.copy(records.__file__, package / "records.py")
    (package / "official").mkdir()
    (package / "official" / "__init__.py").touch()
    shutil.copy(source, package / "official" / "sandbox.py")
    code = """
import subprocess, sys
from grader.official.sandbox import Sandbox
place = Sandbox()
print(place.description)
inside = "import os; print(os.getuid(), os.listdir('/home')); bytearray(16 * 2**30)"
done = subprocess.run(place.command([sys.executable, "-I", "-c", inside]),
                      env=place.environment(), capture_output=True, text=True)
print(done.stdout, done.stderr.splitlines()[-1], done.returncode)
"""
    done = subprocess.run(
        ["/usr/bin/python3", "-c", code],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONPATH": str(tmp_path)},
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
        capture_output=True,
        text=True,
    )
    assert "limited by address space" in done.stdout, done.stderr
    assert "1000 ['learner']" in done.stdout
    assert "MemoryError" in done.stdout


# ---- where there is none ---------------------------------------------------------------------


@pytest.fixture
def without_bubblewrap(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    sandbox.obstacle.cache_clear()
    yield
    sandbox.obstacle.cache_clear()


def test_where_there_is_no_sandbox_nothing_is_run(without_bubblewrap):
    for start in (Sandbox, lambda: SandboxedKernel(folder=Path("/tmp"))):
        with pytest.raises(SandboxError, match="apt install bubblewrap.*sandboxed=False"):
            start()


def test_where_bubblewrap_cannot_run_its_reason_is_said(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'No permissions to create a new namespace' >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox.obstacle.cache_clear()
    with pytest.raises(SandboxError, match="No permissions to create a new namespace"):
        Sandbox()
    sandbox.obstacle.cache_clear()


def test_without_a_sandbox_by_decision_the_verdict_says_so(without_bubblewrap):
    place = Sandbox(wanted=False)
    assert place.description.startswith("none: submissions ran as you")
    assert place.command(["true"]) == ["true"]
