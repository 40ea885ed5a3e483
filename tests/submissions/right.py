"""Solved it."""

CELL = """\
{{REFERENCE}}"""
POINTS = 10
SAYS = "As fast as needed"
