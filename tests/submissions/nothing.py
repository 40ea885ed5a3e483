"""Did nothing."""

CELL = """\
{{STARTER}}"""
POINTS = 0
SAYS = "Not attempted"
