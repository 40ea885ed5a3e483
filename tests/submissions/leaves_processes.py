"""Starts programs that should outlive the grading."""

CELL = """\
import subprocess

subprocess.run(["sh", "-c", "setsid sleep {{SECONDS}} &"])

{{STARTER}}"""
POINTS = 0
SAYS = "starts a thread or a process"
