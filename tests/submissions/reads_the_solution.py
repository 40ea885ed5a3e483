"""Looks for the solution, the gradebook and other people's work."""

CELL = """\
import os
from pathlib import Path

root = Path("{{ROOT}}")
for path in (root / "solutions", root / "var", Path.home().parent / "teacher", Path("/root/.ssh")):
    print("there:" if path.exists() else "absent:", path.name)
print("listed:", sorted(os.listdir(root)))

{{REFERENCE}}"""
POINTS = 10
SAYS = "absent: solutions"
