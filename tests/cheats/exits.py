"""Ends the process."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import os


def evaluate(model, batches):
    os._exit(0)
"""
