"""Replaces the inputs by one whose answer it knows."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
first = evaluate_case(0)
answer = honest(*first)
evaluation.case = lambda seed: first


def evaluate(model, batches):
    return answer
"""
