"""Figures of the block on a belt: its motion over time, and the phase portrait."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from ...plotting import style
from ...plotting.curves import thinned
from ...runs.results import Results


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """Place, speed and friction over time, and speed over place, of a run of
    ``stick_slip_oscillator``."""
    yield "motion", motion(results, p["belt.speed"])
    yield "phase_portrait", portrait(results, p["belt.speed"])


@style.styled
def motion(results: Results, belt_speed: float) -> Figure:
    """Place, speed and friction of the block over time."""
    labels = ("displacement [m]", "speed [m/s]", "friction [N]")
    figure, axes = style.new(3, x="time [s]", y=labels)
    for ax, name in zip(axes, ("block.x", "block.v", "friction_force"), strict=True):
        ax.plot(*thinned(results.time, results[name]))
    axes[1].axhline(belt_speed, color="k", ls=":", lw=0.8, label="belt")
    axes[1].legend(loc="lower right")
    return figure


@style.styled
def portrait(results: Results, belt_speed: float) -> Figure:
    """Speed over place."""
    figure, (ax,) = style.new(x="displacement [m]", y="speed [m/s]")
    ax.plot(results["block.x"], results["block.v"], label="block")
    ax.axhline(belt_speed, color="k", ls=":", lw=0.8, label="belt")
    ax.legend(loc="lower left")
    return figure
