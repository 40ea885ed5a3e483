#!/bin/sh
# Set-up behind `make lab` and `make test`: sh setup.sh course|test
#
# A shell script, because the failures it explains include "there is no Python" and "this Python is
# too old to run the course's code". Every failure is one line that says what to do.
#
#   PYTHON   the interpreter that .venv is made with (python3 where unset)
#   PY       an interpreter that has the requirements already: it is checked, nothing is installed
set -u
cd "$(dirname "$0")"

extra=${1:?usage: sh setup.sh course|test}
case $extra in
    course) goal=lab ;;
    test) goal=test ;;
    *) printf 'usage: sh setup.sh course|test\n' >&2; exit 2 ;;
esac

fail() {
    printf 'set-up: %s\n' "$*" >&2
    exit 1
}

say() {
    printf 'set-up: %s\n' "$*"
}

# Runs in any Python since 2.7.
version_of() {
    "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# fail_unless_python INTERPRETER REMEDY
fail_unless_python() {
    is_new_enough "$1" && return
    command -v "$1" >/dev/null || fail "there is no '$1' on this machine. $2"
    version=$(version_of "$1") || fail "'$1' does not run. $2"
    fail "'$1' is Python $version; the course needs 3.11 or newer. $2"
}

# try_pytorch INTERPRETER REMEDY
try_pytorch() {
    output=$("$1" -c 'import torch' 2>&1) ||
        fail "PyTorch is installed and does not start ($(printf '%s' "$output" | tail -n 1)). $2"
}

if [ -n "${PY:-}" ]; then
    fail_unless_python "$PY" "Leave PY out and .venv is made, or name an interpreter that has the requirements."
    modules="torch numpy jupyterlab"
    [ "$extra" = course ] || modules="$modules nbgrader papermill pytest xdist ruff"
    missing=$("$PY" -c 'import importlib.util, sys
print(*[name for name in sys.argv[1:] if not importlib.util.find_spec(name)])' $modules)
    [ -z "$missing" ] ||
        fail "'$PY' lacks $missing. Install the requirements: $PY -m pip install -e '.[$extra]'"
    try_pytorch "$PY" "Install it again: $PY -m pip install --force-reinstall 'torch>=2.9,<3'"
    exit 0
fi

# What is installed is named by everything it depends on. That includes the folder: a course that
# was moved would otherwise still import its package from the old place.
wanted=$({ pwd; cat pyproject.toml constraints.txt setup.sh; } | cksum)
stamp=.venv/.installed-$extra
if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && is_new_enough .venv/bin/python; then
    exit 0
fi

PYTHON=${PYTHON:-python3}
remedy="Install Python 3.11 or newer, then name it: make $goal PYTHON=python3.12"
for newer in python3.14 python3.13 python3.12 python3.11; do
    if is_new_enough "$newer"; then
        remedy="This machine has a newer one: make $goal PYTHON=$newer"
        break
    fi
done
fail_unless_python "$PYTHON" "$remedy"
[ -w . ] || fail "no permission to write in $(pwd). Copy the course to a folder of your own and run make $goal there."

if ! is_new_enough .venv/bin/python || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "'$PYTHON' has no venv module. Debian, Ubuntu: sudo apt install python3-venv ($("$PYTHON" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])') for this version)."
    say "making .venv with Python $(version_of "$PYTHON")"
    output=$("$PYTHON" -m venv --clear .venv 2>&1) ||
        fail "cannot make .venv in $(pwd) ($(printf '%s' "$output" | tail -n 1)). Check the free space and permissions of this folder."
fi

say "installing into .venv; the first time takes minutes, PyTorch being the bulk of it"
errors=.venv/pip-errors.txt
if ! .venv/bin/python -m pip install --disable-pip-version-check \
    --constraint constraints.txt --editable ".[$extra]" 2>"$errors"; then
    says() {
        grep -q -i "$@" "$errors"
    }
    # Every index has setuptools, so one that has none was not reached.
    if says -e 'connection' -e 'name resolution' -e 'timed out' -e 'setuptools.*from versions: none'; then
        why="no network, or the package index cannot be reached. Check the connection (HTTPS_PROXY, PIP_INDEX_URL), then make $goal again."
    elif says 'no space left'; then
        why="the disk is full. PyTorch takes some 6 GB with CUDA, 1 GB without; free some, then make $goal again."
    elif says 'from versions: '; then
        why="$(sed -n 's/.*No matching distribution found for/the package index has no/p' "$errors" | tail -n 1) for Python $(version_of .venv/bin/python) on this machine. Try another version: delete .venv, then make $goal PYTHON=python3.12"
    else
        why="pip could not install the requirements: $(grep ERROR "$errors" | tail -n 1)"
    fi
    fail "$why (all of pip's messages: $errors)"
fi

try_pytorch .venv/bin/python "Delete .venv, then make $goal again."

# JupyterLab would otherwise ask every learner whether to fetch news, and look for updates.
.venv/bin/python -m jupyterlab.labextensions disable "@jupyterlab/apputils-extension:announcements" >/dev/null 2>&1 ||
    say "note: could not turn JupyterLab's announcements off"

printf '%s\n' "$wanted" >".venv/.installed-course"
[ "$extra" = course ] || printf '%s\n' "$wanted" >"$stamp"
