"""Replaces the code of the function that counts."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
import grader.audit


def free(self, *arguments):
    return None


grader.audit.StepAudit._aten_call.__code__ = free.__code__


def evaluate(model, batches):
    return dict(evaluate_slow(model, batches))
"""
