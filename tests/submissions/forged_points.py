"""Replaces what gives the points."""

CELL = """\
exercise.check = exercise.race = lambda fix: 10.0

{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
