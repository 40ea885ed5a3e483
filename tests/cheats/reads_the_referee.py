"""Looks into the memory of the process that watches it."""

CHECK = "error"
RACE = "error"
CELL = """
import os


def evaluate(model, batches):
    parent = os.getppid()
    with open(f"/proc/{parent}/mem", "rb") as memory:
        memory.read(1)
    return honest(model, batches)
"""
