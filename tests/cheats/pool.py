"""Has a thread ready before anything is counted, and works there."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
pool.submit(int).result()


def evaluate(model, batches):
    return pool.submit(evaluate_slow, model, batches).result()
"""
