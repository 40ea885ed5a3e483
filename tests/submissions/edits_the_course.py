"""Overwrites whatever it can reach."""

CELL = """\
import contextlib
import sys
from pathlib import Path

import grader

places = ["{{ROOT}}/x", "{{ROOT}}/notebooks/01-total/01-total.ipynb", sys.prefix + "/x.pth"]
places += [grader.__file__, "{{ROOT}}/var/verdicts/x.json", "/usr/lib/python3/x.py", "/etc/x"]
for place in places:
    with contextlib.suppress(OSError):
        Path(place).write_text("raise SystemExit")
        print("written:", place)

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
