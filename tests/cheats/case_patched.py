"""Replaces the inputs by one whose answer it knows."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
first = evaluate_case(0)
answer = honest(*first)
evaluation.case = lambda seed: first


def evaluate(model, batches):
    return answer
"""
