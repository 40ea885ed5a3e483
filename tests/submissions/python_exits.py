"""Ends Python in the function."""

CELL = """\
import os


def total(numbers):
    os._exit(0)"""
POINTS = 0
SAYS = "Python ended before it answered"
