"""Has the answer computed elsewhere."""

CHECK = "error"
RACE = "error"
CELL = """
import socket


def evaluate(model, batches):
    with socket.create_connection(("192.0.2.1", 80), timeout=5):
        return honest(model, batches)
"""
