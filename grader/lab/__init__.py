"""What several notebooks share: data, two versions side by side, memory curves, convergence."""

from grader.lab.convergence import steps_to_target
from grader.lab.data import clusters
from grader.lab.live_bytes import LiveBytes
from grader.lab.versus import Versus, versus

__all__ = ["LiveBytes", "Versus", "clusters", "steps_to_target", "versus"]
