"""Replaces the counts."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import grader.audit
zero = dict.fromkeys(grader.audit.StepAudit().counts, 0)
grader.audit.StepAudit.counts = property(lambda self: zero)


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
