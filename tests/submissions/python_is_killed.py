"""Ends Python when the cell runs."""

CELL = """\
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)

{{REFERENCE}}"""
POINTS = 0
SAYS = "KernelDied"
