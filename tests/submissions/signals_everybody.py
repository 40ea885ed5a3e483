"""Stops and kills whatever it can see."""

CELL = """\
import contextlib
import os
import signal

for number in range(1, 70000):
    if number != os.getpid():
        with contextlib.suppress(OSError):
            os.kill(number, signal.SIGKILL)

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
