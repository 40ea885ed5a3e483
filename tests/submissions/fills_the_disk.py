"""Writes until no more fits."""

CELL = """\
import contextlib

for folder in ("/tmp", "/dev/shm", "/home/learner", "."):
    with contextlib.suppress(OSError), open(folder + "/full", "wb") as file:
        while True:
            file.write(bytes(2**24))

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
