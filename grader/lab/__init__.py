"""What several notebooks share: generated data, two versions measured side by side."""

from grader.lab.data import clusters
from grader.lab.versus import Versus, versus

__all__ = ["Versus", "clusters", "versus"]
