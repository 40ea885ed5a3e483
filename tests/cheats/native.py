"""Looks for what counts with native code."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import ctypes


def evaluate(model, batches):
    ctypes.string_at(id(model), 16)
    return honest(model, batches)
"""
