"""Measure, check and grade repairs of slow PyTorch code; see `Exercise`."""

import importlib
import os
from typing import Any

# Kineto writes lines to stderr, which nbgrader scores as zero; torch reads this when imported.
os.environ.setdefault("KINETO_LOG_LEVEL", "99")

# Looked up when first used: the referee and the nbgrader plug-ins do without PyTorch.
_HOMES = {
    "Claims": "grader.records",
    "Exercise": "grader.exercise",
    "Score": "grader.score",
    "at_least": "grader.limits",
    "at_most": "grader.limits",
    "exactly": "grader.limits",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value
