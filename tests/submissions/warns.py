"""Writes to stderr in every call, which costs nothing."""

CELL = """\
import logging
import sys
import warnings


def total(numbers):
    warnings.warn("deprecated")
    logging.warning("careful")
    sys.stderr.write("50 %")
    return numbers.sum()"""
POINTS = 10
