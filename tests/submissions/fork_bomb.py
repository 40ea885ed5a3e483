"""Starts as many processes as it can."""

CELL = """\
import contextlib
import os

with contextlib.suppress(OSError):
    for _ in range(16):
        os.fork()

{{STARTER}}"""
POINTS = 0
