"""Handed it in under another name."""

CELL = "{{REFERENCE}}"
FILE = "Copy of 01-total (final)"
POINTS = 10
