"""What several notebooks share: data, measuring two versions side by side."""

from grader.lab.versus import Versus, versus

__all__ = ["Versus", "versus"]
