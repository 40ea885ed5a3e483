"""The pictures of the notebooks. matplotlib is imported when one is drawn."""

import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grader.limits import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from grader.lab import Versus

SLOW, FAST, NEUTRAL = "#c26a3d", "#2f7f9e", "#8a8a8a"  # tell apart in grey and by the colour-blind


def _axes(height: float = 2.6) -> "Axes":
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(7.2, height), layout="constrained")[1]


def heats(result: "Versus") -> "Axes":
    """Milliseconds per call of both versions in every heat, in order, on one pair of axes."""
    axes = _axes()
    numbers = range(1, len(result.heats) + 1)
    for side, name, colour, marker in (
        ("slow", result.names[0], SLOW, "o"),
        ("fix", result.names[1], FAST, "s"),
    ):
        values = [1000 * getattr(heat, side) for heat in result.heats]
        axes.plot(numbers, values, marker=marker, linestyle="", color=colour, label=name)
        axes.axhline(statistics.median(values), color=colour, linewidth=1)
    axes.set(xlabel="heat", ylabel="ms per call", ylim=(0, None))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False)
    return axes


def bars(values: Mapping[str, float], unit: str) -> "Axes":
    """One horizontal bar a name, longest first in the order given, labelled with its value."""
    axes = _axes(0.6 + 0.4 * len(values))
    names = list(values)
    drawn = axes.barh(names, [values[name] for name in names], color=FAST)
    axes.bar_label(drawn, fmt=number, padding=3)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set(xlabel=unit)
    return axes


def timeline(spans: Mapping[str, Sequence[tuple[float, float]]]) -> "Axes":
    """One lane a name: (start, duration) pairs in milliseconds, as bars along one time axis."""
    axes = _axes(0.8 + 0.45 * len(spans))
    colours = [SLOW, FAST, NEUTRAL, "#7a6bb0", "#5d9b4a"]
    for lane, (_, parts) in enumerate(spans.items()):
        axes.broken_barh(list(parts), (lane - 0.35, 0.7), facecolors=colours[lane % len(colours)])
    axes.set(yticks=range(len(spans)), yticklabels=list(spans), xlabel="ms")
    axes.invert_yaxis()
    axes.margins(x=0.01)
    return axes


def curve(lines: Mapping[str, Sequence[float]], xlabel: str, ylabel: str) -> "Axes":
    """One line a name, over 0, 1, 2, …: memory over a step, a loss over steps."""
    axes = _axes()
    for (name, values), colour in zip(lines.items(), [SLOW, FAST, NEUTRAL] * 9, strict=False):
        axes.plot(values, color=colour, label=name)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.legend(frameon=False)
    return axes
