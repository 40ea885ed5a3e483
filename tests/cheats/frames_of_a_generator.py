"""Reaches the frames of the grader through a generator."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
def own_frame():
    yield generator.gi_frame.f_back


generator = own_frame()


def evaluate(model, batches):
    next(generator).f_back.f_locals
    return dict(evaluate_slow(model, batches))
"""
