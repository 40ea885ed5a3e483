"""`make lab` and `make test` on a fresh machine: what they install, and how they fail."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from pathlib import Path

import pytest
import torch
import yaml

from grader import doctor, host, machine, records

COURSE = Path(__file__).parents[1]
PROJECT = tomllib.loads((COURSE / "pyproject.toml").read_text())["project"]
NOBODY = 65534

# A Python that has everything, does nothing and writes down what it is asked for. It answers
# "-m venv" with a copy of itself.
WILLING_PYTHON = """#!/bin/sh
echo "$@" >>"$ASKED"
case "$*" in
    "-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
esac
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with what set-up reads, and an empty package."""
    folder = tmp_path / "a course"
    (folder / "grader").mkdir(parents=True)
    (folder / "grader" / "__init__.py").touch()
    for name in ("setup.sh", "pyproject.toml", "constraints.txt", "LICENSE"):
        shutil.copy(COURSE / name, folder)
    return folder


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def set_up(
    course: Path, extra: str = "course", environment: dict | None = None, **options
) -> subprocess.CompletedProcess:
    inherited = {k: v for k, v in os.environ.items() if k not in ("PY", "PYTHON")}
    return subprocess.run(
        ["sh", "setup.sh", extra],
        cwd=course,
        env=inherited | (environment or {}),
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


def refusal(run: subprocess.CompletedProcess) -> str:
    """The one line on stderr of a set-up that failed."""
    assert run.returncode == 1, run
    assert run.stderr.count("\n") == 1 and run.stderr.startswith("set-up: "), run.stderr
    return run.stderr


# What is installed


def test_conda_environment_has_the_requirements_of_the_package():
    environment = yaml.safe_load((COURSE / "environment.yml").read_text())
    *conda, pip = environment["dependencies"]
    extras = PROJECT["optional-dependencies"]
    own = f"{PROJECT['name']}[course]"
    assert own in extras["test"]
    wanted = {*PROJECT["dependencies"], *extras["course"], *extras["test"]} - {own}
    assert {line for line in pip["pip"] if not line.startswith("--")} == wanted
    assert {"--editable .", "--constraint constraints.txt"} < set(pip["pip"])
    assert conda == [f"python{PROJECT['requires-python']}", "pip"]
    assert environment["name"] == PROJECT["name"]


def test_constraints_pin_every_requirement_for_every_platform():
    lines = (COURSE / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    malformed = [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", line)]
    assert not malformed  # no URL, no file, no local version such as +cpu
    names = {line.partition("==")[0].lower() for line in pins}
    assert not {name for name in names if name.startswith(("nvidia", "cuda", "triton"))}
    extras = PROJECT["optional-dependencies"]
    required = [*PROJECT["dependencies"], *extras["course"], *extras["test"]]
    required = {re.match(r"[\w.-]+", line).group() for line in required} - {PROJECT["name"]}
    assert required <= names


def test_doctor_knows_the_range_of_pytorch():
    (oldest, below) = doctor.TORCH_RANGE
    assert f"torch>={oldest[0]}.{oldest[1]},<{below[0]}" in PROJECT["dependencies"]


def test_set_up_installs_once_until_something_changes(course: Path, tmp_path: Path):
    python = script(tmp_path / "bin" / "python3", WILLING_PYTHON)
    asked = tmp_path / "asked"

    def installs(folder: Path, extra: str) -> list[str]:
        asked.write_text("")
        run = set_up(folder, extra, {"PYTHON": str(python), "ASKED": str(asked)})
        assert run.returncode == 0, run.stderr
        return [line for line in asked.read_text().splitlines() if " install " in line]

    (first,) = installs(course, "course")
    assert first.endswith("--constraint constraints.txt --editable .[course]")
    announcements = "disable @jupyterlab/apputils-extension:announcements"
    assert announcements in asked.read_text()  # no pop-up that offers news
    assert installs(course, "course") == []
    (tests_too,) = installs(course, "test")
    assert tests_too.endswith(".[test]")
    assert installs(course, "test") == installs(course, "course") == []

    with (course / "constraints.txt").open("a") as constraints:
        constraints.write("another==1.0\n")
    assert len(installs(course, "test")) == 1
    assert installs(course, "course") == []  # the tests' requirements include the course's

    moved = course.rename(tmp_path / "moved")
    assert len(installs(moved, "course")) == 1

    shutil.rmtree(moved / ".venv" / "bin")
    assert len(installs(moved, "course")) == 1


def test_set_up_with_an_environment_of_ones_own_installs_nothing(course: Path):
    run = set_up(course, "test", {"PY": sys.executable})
    assert (run.returncode, run.stderr) == (0, "")
    assert not (course / ".venv").exists()


# How set-up fails


def path_without_python(folder: Path) -> str:
    """A PATH of the few tools that set-up uses, without any Python."""
    folder.mkdir(exist_ok=True)
    for tool in ("sh", "dirname", "cat", "cksum", "tail", "grep"):
        (folder / tool).symlink_to(shutil.which(tool))
    return str(folder)


def test_no_python(course: Path, tmp_path: Path):
    line = refusal(set_up(course, environment={"PATH": path_without_python(tmp_path / "bin")}))
    assert "there is no 'python3' on this machine" in line
    assert "make lab PYTHON=python3.12" in line


OLD_PYTHON = """#!/bin/sh
case "$2" in
    *print*) echo 3.9.18 ;;
    *) exit 1 ;;
esac
"""


def test_old_python(course: Path, tmp_path: Path):
    path = path_without_python(tmp_path / "bin")
    script(tmp_path / "bin" / "python3", OLD_PYTHON)
    line = refusal(set_up(course, "test", {"PATH": path}))
    assert "'python3' is Python 3.9.18; the course needs 3.11 or newer" in line
    assert "Install Python 3.11 or newer, then name it: make test PYTHON=python3.12" in line

    script(tmp_path / "bin" / "python3.13", WILLING_PYTHON)
    asked = {"ASKED": str(tmp_path / "asked")}
    line = refusal(set_up(course, "test", {"PATH": path} | asked))
    assert "This machine has a newer one: make test PYTHON=python3.13" in line


def test_python_that_does_not_run(course: Path, tmp_path: Path):
    broken = script(tmp_path / "python3.12", "#!/bin/sh\nexit 127\n")
    assert f"'{broken}' does not run" in refusal(
        set_up(course, environment={"PYTHON": str(broken)})
    )


def test_python_without_venv(course: Path, tmp_path: Path):
    text = f'#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\nexec "{sys.executable}" "$@"\n'
    python = script(tmp_path / "python3", text)
    line = refusal(set_up(course, environment={"PYTHON": str(python)}))
    assert "has no venv module" in line and "sudo apt install python3-venv" in line
    assert "python{}.{}-venv".format(*sys.version_info) in line


def test_folder_without_write_permission():
    # Permissions do not hold for root: as root the script runs as nobody. pytest's own temporary
    # folder is closed to others.
    with tempfile.TemporaryDirectory() as parent:
        os.chmod(parent, 0o755)
        folder = Path(parent, "course")
        folder.mkdir()
        for name in ("setup.sh", "pyproject.toml", "constraints.txt"):
            os.chmod(shutil.copy(COURSE / name, folder), 0o644)
        python = script(Path(parent, "python3"), "#!/bin/sh\n")
        folder.chmod(0o555)
        identity = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        line = refusal(set_up(folder, environment={"PYTHON": str(python)}, **identity))
        folder.chmod(0o755)
    assert "no permission to write in" in line and "Copy the course to a folder of your own" in line


def test_no_network(course: Path):
    with socket.socket() as unused:  # bound, not listening: whoever connects is refused
        unused.bind(("127.0.0.1", 0))
        nowhere = {
            "PYTHON": sys.executable,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": f"http://127.0.0.1:{unused.getsockname()[1]}/simple",
            "PIP_RETRIES": "0",
        }
        line = refusal(set_up(course, environment=nowhere))
    assert "no network, or the package index cannot be reached" in line
    assert "then make lab again" in line
    assert not list((course / ".venv").glob(".installed-*"))


PIP_SAYS = {
    "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device": (
        "the disk is full"
    ),
    "ERROR: Could not find a version that satisfies the requirement torch (from versions: none)\n"
    "ERROR: No matching distribution found for torch": "the package index has no torch for Python",
    "ERROR: ResolutionImpossible": "pip could not install the requirements: ERROR: Resolution",
}


@pytest.mark.parametrize("message", PIP_SAYS)
def test_other_failures_of_pip(course: Path, tmp_path: Path, message: str):
    says = f"case \"$*\" in *' install '*) echo '{message}' >&2; exit 1 ;; esac\n"
    python = script(tmp_path / "python3", WILLING_PYTHON + says)
    environment = {"PYTHON": str(python), "ASKED": str(tmp_path / "asked")}
    line = refusal(set_up(course, environment=environment))
    assert PIP_SAYS[message] in line and ".venv/pip-errors.txt" in line


def test_pytorch_that_does_not_start(course: Path, tmp_path: Path):
    fails = (
        "case \"$*\" in *'import torch'*) echo 'ImportError: libcudart.so' >&2; exit 1 ;; esac\n"
    )
    python = script(tmp_path / "python3", WILLING_PYTHON + fails)
    environment = {"PYTHON": str(python), "ASKED": str(tmp_path / "asked")}
    assert "does not start (ImportError: libcudart.so)" in refusal(
        set_up(course, environment=environment)
    )
    assert not list((course / ".venv").glob(".installed-*"))


def test_environment_of_ones_own_without_the_requirements(course: Path, tmp_path: Path):
    python = tmp_path / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", python], check=True)
    python = python / "bin" / "python"
    line = refusal(set_up(course, environment={"PY": str(python)}))
    assert "lacks torch numpy jupyterlab." in line
    assert f"{python} -m pip install -e '.[course]'" in line
    line = refusal(set_up(course, "test", {"PY": str(python)}))
    assert "lacks torch numpy jupyterlab nbgrader papermill pytest xdist ruff." in line
    line = refusal(set_up(course, environment={"PY": "no-such-python"}))
    assert "there is no 'no-such-python'" in line and "Leave PY out" in line


# What make lab opens


# Every Python process writes down which hosts it looks up.
WATCH_LOOKUPS = """
import os, sys

def watch(event, arguments):
    if event == "socket.getaddrinfo":
        with open(os.environ["LOOKUPS"], "a") as lookups:
            print(arguments[0], file=lookups)

sys.addaudithook(watch)
"""


@pytest.fixture
def lookups(tmp_path: Path) -> Path:
    (tmp_path / "sitecustomize.py").write_text(WATCH_LOOKUPS)
    return tmp_path / "lookups"


@pytest.fixture
def lab_url(lookups: Path):
    """The address of a JupyterLab started by `make lab` (token: t), under `lookups`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = f"--no-browser --port={port} --ServerApp.port_retries=0 --IdentityProvider.token=t"
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            ["make", "lab", f"PY={sys.executable}", f"LAB_ARGS={arguments}"],
            cwd=COURSE,
            env=os.environ | {"PYTHONPATH": str(lookups.parent), "LOOKUPS": str(lookups)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wanted, deadline, text = f":{port}/lab/tree/notebooks?token=", time.time() + 90, ""
            while wanted not in text:
                assert process.poll() is None and time.time() < deadline, text
                time.sleep(0.2)
                output.seek(0)
                text = output.read()
            yield f"http://127.0.0.1:{port}"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)


def test_lab_opens_at_the_notebooks_and_asks_nothing_of_the_network(lab_url: str, lookups: Path):
    def get(path: str) -> str:
        with urllib.request.urlopen(f"{lab_url}{path}?token=t", timeout=10) as answer:
            return answer.read().decode()

    assert "<title>JupyterLab</title>" in get("/lab/tree/notebooks")
    listing = json.loads(get("/api/contents/notebooks"))
    assert listing["type"] == "directory"
    assert json.loads(get("/lab/api/news")) == {"news": []}
    assert json.loads(get("/lab/api/update")) == {"notification": None}
    hosts = set(lookups.read_text().split())
    assert hosts and hosts <= {"localhost", "127.0.0.1", "::1", "0.0.0.0", "None"}


# The self-check


def lines(check) -> list[tuple[str, str]]:
    """What a check of the doctor says, as (status, text and remedy)."""
    return [(line.status, f"{line.text} {line.remedy}") for line in check()]


def test_doctor_prints_what_it_finds_and_fails_for_problems_only(monkeypatch, capsys):
    def fine():
        yield doctor.Line("ok", "two cores")

    def limited():
        yield doctor.Line("note", "no GPU", "borrow one")

    def broken():
        yield doctor.Line("problem", "no disk", "buy one")

    monkeypatch.setattr(doctor, "CHECKS", (fine, limited))
    assert doctor.doctor() == 0
    assert capsys.readouterr().out == "ok      two cores\nnote    no GPU\n        -> borrow one\n"
    monkeypatch.setattr(doctor, "CHECKS", (fine, broken, limited))
    assert doctor.doctor() == 1
    assert "problem no disk\n        -> buy one\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "status"),
    [
        ("2.8.0", "problem"),
        ("2.9.0", "ok"),
        ("2.13.0+cpu", "ok"),
        ("2.15.0a0+git1", "ok"),
        ("3.0.0", "problem"),
    ],
)
def test_doctor_judges_pytorch_by_its_version(monkeypatch, version: str, status: str):
    monkeypatch.setattr(torch, "__version__", version)
    ((found, text),) = lines(doctor.pytorch)
    assert found == status
    assert ("install 'torch>=2.9,<3'" in text) == (status == "problem")


@pytest.fixture
def no_cuda(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(machine, "pick_device", lambda name="auto": torch.device("cpu"))


DRIVERS = {
    "The NVIDIA driver on your system is too old (found version 11040). Please update your GPU "
    "driver by downloading and installing a new version": ("too old", "update the driver"),
    "No CUDA GPUs are available": ("No CUDA GPUs are available", "CUDA_VISIBLE_DEVICES"),
}


@pytest.mark.parametrize("message", DRIVERS)
def test_doctor_says_why_a_gpu_is_not_used(monkeypatch, no_cuda, message: str):
    def init():
        raise RuntimeError(message + "\nand more lines")

    monkeypatch.setattr(torch.cuda, "init", init)
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(doctor, "_nvidia_driver", lambda: True)
    (status, text), *_ = lines(doctor.device)
    assert status == "note"  # the course runs on the CPU all the same
    assert all(part in text for part in DRIVERS[message])
    assert "\n" not in text


def test_doctor_sees_a_pytorch_without_cuda_beside_a_driver(monkeypatch, no_cuda):
    monkeypatch.setattr(torch.version, "cuda", None)
    monkeypatch.setattr(doctor, "_nvidia_driver", lambda: True)
    assert "this PyTorch is built without CUDA" in lines(doctor.device)[0][1]
    monkeypatch.setattr(doctor, "_nvidia_driver", lambda: False)
    assert not [text for _, text in lines(doctor.device) if "driver" in text]


@pytest.mark.parametrize(("capability", "emulated"), [((7, 5), True), ((8, 0), False)])
def test_doctor_judges_bfloat16_by_capability(monkeypatch, capability, emulated: bool):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device=None: capability)
    monkeypatch.setattr(machine, "pick_device", lambda name="auto": torch.device("cuda"))
    monkeypatch.setattr(machine, "describe", lambda device: "a GPU")
    assert any("bfloat16" in text for _, text in lines(doctor.device)) == emulated


@pytest.mark.parametrize(("count", "notes"), [(1, 1), (2, 0)])
def test_doctor_notes_a_single_core(monkeypatch, count: int, notes: int):
    monkeypatch.setattr(host, "cores", lambda: count)
    assert len(lines(doctor.cores)) == notes


@pytest.mark.parametrize(("busy", "status"), [(None, "note"), (0.2, "ok"), (1.5, "note")])
def test_doctor_notes_a_busy_machine(monkeypatch, busy: float | None, status: str):
    monkeypatch.setattr(host, "cores", lambda: 2)
    monkeypatch.setattr(host, "background_load", lambda seconds=0.2: busy)
    assert [found for found, _ in lines(doctor.load)] == [status]


def test_doctor_tries_to_write(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("GRADER_VAR", str(tmp_path / "new" / "var"))
    assert [status for status, _ in lines(doctor.folder)] == ["ok"]
    (tmp_path / "file").touch()
    monkeypatch.setenv("GRADER_VAR", str(tmp_path / "file" / "var"))
    ((status, text),) = lines(doctor.folder)
    assert status == "problem" and "cannot write to" in text and "GRADER_VAR" in text


def test_doctor_misses_packages(monkeypatch):
    ((status, text),) = lines(doctor.packages)
    assert status == "ok" and "torch" in text and "nbgrader" in text and "pytest" not in text

    installed, absent = doctor.importlib.metadata.version, {"papermill"}

    def version(name: str) -> str:
        if name in absent:
            raise doctor.importlib.metadata.PackageNotFoundError(name)
        return installed(name)

    monkeypatch.setattr(doctor.importlib.metadata, "version", version)
    ((status, text),) = lines(doctor.packages)
    assert status == "note" and "not installed: papermill" in text
    absent |= {"matplotlib"}
    assert [status for status, _ in lines(doctor.packages)] == ["problem", "note"]
    absent |= {doctor.PACKAGE}
    ((status, text),) = lines(doctor.packages)
    assert status == "problem" and "cannot import grader" in text


def record(exercise: str, device_class: str, low: float) -> records.Record:
    return records.Record(
        exercise=exercise,
        device_class=device_class,
        device="a machine",
        torch="2.13.0",
        date="2026-11-30",
        clock="wall",
        heats=40,
        median=low,
        low=low,
        high=low,
        slow_ms=1.0,
    )


def test_doctor_tells_which_exercises_are_raced(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("GRADER_VAR", str(tmp_path))
    monkeypatch.setattr(records, "SHIPPED", tmp_path / "shipped.json")
    monkeypatch.setattr(machine, "pick_device", lambda name="auto": torch.device("cpu"))
    records.store([record("01/a", "cuda-ada", 3.0)], records.SHIPPED)
    ((status, text),) = lines(doctor.exercises)
    assert status == "note" and "no measured record for cpu yet" in text and "make measure" in text

    records.store([record("01/a", "cpu", 3.0), record("02/b", "cpu", 1.1)], records.own_file())
    assert lines(doctor.exercises) == [
        ("ok", "1 of 2 exercises are raced here "),
        ("note", "graded by their counts alone on cpu: 02/b "),
    ]

    records.own_file().write_text("{")
    ((status, text),) = lines(doctor.exercises)
    assert status == "problem" and "is damaged" in text


# The rule that CI skips nothing it could run

OUTCOMES = """
import pytest

def test_passes(): pass

@pytest.mark.xfail
def test_expected_to_fail(): assert False

@pytest.mark.cuda
def test_of_a_gpu(): pass
"""
SKIPS = {
    "in a test": "import pytest\ndef test_skips(): pytest.skip('no reason')\n",
    "by a mark": "import pytest\n@pytest.mark.skip\ndef test_skips(): pass\n",
    "a module": "import pytest\npytest.importorskip('no_such_module')\n",
}


def run_tests(folder: Path, source: str, ci: str) -> subprocess.CompletedProcess:
    shutil.copy(COURSE / "tests" / "conftest.py", folder)
    shutil.copy(COURSE / "pyproject.toml", folder)
    (folder / "test_outcomes.py").write_text(source)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "."],
        cwd=folder,
        env=os.environ | {"CI": ci, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("kind", SKIPS)
def test_a_skip_fails_in_ci_only(tmp_path: Path, kind: str):
    source = "def test_passes(): pass\n"
    (tmp_path / "test_other.py").write_text(source)
    in_ci = run_tests(tmp_path, SKIPS[kind], ci="true")
    assert in_ci.returncode == 1, in_ci.stdout
    assert "CI: skipped, and no GPU is needed for it: test_outcomes.py" in in_ci.stdout
    assert run_tests(tmp_path, SKIPS[kind], ci="").returncode == 0


def test_a_skip_for_want_of_a_gpu_passes_in_ci(tmp_path: Path):
    run = run_tests(tmp_path, OUTCOMES, ci="true")
    assert run.returncode == 0, run.stdout
    assert "1 passed, 1 skipped, 1 xfailed" in run.stdout
    assert "needs a CUDA device" in run.stdout


def test_tests_do_not_see_this_machines_records():
    assert records.var_folder().is_relative_to(tempfile.gettempdir())
    assert records.var_folder() != COURSE / "var"


def test_ci_passes_the_exit_status_on(tmp_path: Path):
    script(tmp_path / ".ci" / "run", (COURSE / ".ci" / "run").read_text())
    for status in (0, 3):
        text = f'test:\n\t@test "$$CI" = true && exit {status}\n'
        (tmp_path / "Makefile").write_text(text)
        environment = {k: v for k, v in os.environ.items() if k not in ("CI", "MAKEFLAGS")}
        run = subprocess.run(
            ["bash", ".ci/run"], cwd=tmp_path, env=environment, capture_output=True, timeout=60
        )
        assert (run.returncode == 0) == (status == 0), run


@pytest.mark.parametrize("user", [0, 1000])
def test_ci_installs_what_the_system_lacks_as_root_only(tmp_path: Path, user: int):
    tools, asked = tmp_path / "bin", tmp_path / "asked"
    tools.mkdir()
    for tool in ("bash", "dirname", "cp"):
        (tools / tool).symlink_to(shutil.which(tool))
    script(tools / "id", f"#!/bin/bash\necho {user}\n")
    script(tools / "python3", "#!/bin/bash\n")
    make = script(tmp_path / "make", '#!/bin/bash\necho "make $@" >>"$ASKED"\n')
    text = f'#!/bin/bash\necho "apt-get $@" >>"$ASKED"\ncp "{make}" "{tools}"\n'
    script(tools / "apt-get", text)
    script(tmp_path / ".ci" / "run", (COURSE / ".ci" / "run").read_text())
    run = subprocess.run(
        ["bash", ".ci/run"],
        cwd=tmp_path,
        env={"PATH": str(tools), "ASKED": str(asked)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    if user == 0:
        assert run.returncode == 0, run
        assert asked.read_text().splitlines() == [
            "apt-get update",
            "apt-get install --yes --no-install-recommends make bubblewrap chromium",
            "make test",
        ]
    else:
        assert run.returncode == 1 and not asked.exists()
        assert run.stderr == "needed: apt-get install make bubblewrap chromium\n"
