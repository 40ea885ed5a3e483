"""Programs of nobody keep both cores busy, so that the slow version is slower."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import subprocess

for _ in range(2):
    subprocess.run(["sh", "-c", "setsid sh -c 'while :; do :; done' &"])


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
