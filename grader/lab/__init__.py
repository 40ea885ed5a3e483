"""What several notebooks share: generated data, two versions side by side, a memory curve."""

from grader.lab.data import clusters
from grader.lab.live_bytes import LiveBytes
from grader.lab.versus import Versus, versus

__all__ = ["LiveBytes", "Versus", "clusters", "versus"]
