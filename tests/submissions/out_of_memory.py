"""Wants more memory than there is."""

CELL = """\
block = bytearray(2**33)

{{REFERENCE}}"""
POINTS = 0
SAYS = "KernelDied"
