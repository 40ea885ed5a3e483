# make lab    set everything up, then open JupyterLab at notebooks/
# make test   the same set-up, then every test
#
# PYTHON=python3.12     the interpreter that .venv is made with
# PY=python             use an environment that has the requirements already; nothing is installed
# LAB_ARGS=--no-browser more options for JupyterLab
# TEST_ARGS=-x          more options for pytest

.PHONY: help lab test check format release measure bench course-setup test-setup
.NOTPARALLEL:

PYTHON ?= python3
PY ?=
export PYTHON PY
python = $(or $(PY),.venv/bin/python)

# JupyterLab refuses to run as root unless told to; in a container, root is the usual user.
as_root = $(if $(filter 0,$(shell id -u)),--allow-root)

help:
	@sed -n '/^# make /s/^# //p' Makefile
	@echo "more:       make check, format, release, measure, bench"

# The server runs in the course's folder: nbgrader's extensions read nbgrader_config.py from there.
lab: course-setup
	@"$(python)" -m grader doctor
	@"$(python)" -m jupyterlab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/notebooks \
		--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate --LabApp.news_url=None \
		$(as_root) $(LAB_ARGS)

# Two at a time what no clock decides, then alone what one does. Status 5: no test in that half.
test: test-setup
	@"$(python)" -m pytest -m "not timing" -n 2 --dist worksteal $(TEST_ARGS) || test $$? -eq 5
	@"$(python)" -m pytest -m timing $(TEST_ARGS) || test $$? -eq 5

# Fast, before a commit: layout of the code, canonical notebooks, notebooks/ in step with solutions/.
check: test-setup
	@"$(python)" -m ruff format --check .
	@"$(python)" -m ruff check .
	@"$(python)" -m grader check

format: test-setup
	@"$(python)" -m ruff format .
	@"$(python)" -m ruff check --fix .

release: course-setup
	@"$(python)" -m grader release

measure: course-setup
	@"$(python)" -m grader measure

bench: course-setup
	@"$(python)" -m grader bench

course-setup:
	@sh setup.sh course

test-setup:
	@sh setup.sh test
