"""Thirty megabytes, when the cell runs."""

CELL = """\
for _ in range(300_000):
    print("x" * 100)

{{REFERENCE}}"""
POINTS = 10
