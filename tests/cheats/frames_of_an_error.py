"""Reaches the frames of the grader through a traceback."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
def evaluate(model, batches):
    try:
        raise ValueError
    except ValueError as error:
        error.__traceback__.tb_frame.f_back.f_locals
    return dict(evaluate_slow(model, batches))
"""
