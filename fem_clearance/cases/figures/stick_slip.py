"""Figures of the block on a belt: its motion over time, and the phase portrait."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from ...plotting import style
from ...plotting.curves import thinned
from ...runs.results import Results


def figures(results: Results, belt_speed: float) -> Iterator[tuple[str, Figure]]:
    """Place, speed and friction over time; speed over place with the ``belt_speed`` (m/s)."""
    yield "motion", motion(results, belt_speed)
    yield "phase_portrait", portrait(results, belt_speed)


@style.styled
def motion(results: Results, belt_speed: float) -> Figure:
    """Place, speed and friction of the block over time."""
    figure, axes = style.new(3)
    for ax, (name, what, unit) in zip(
        axes,
        (
            ("block.x", "displacement", "m"),
            ("block.v", "speed", "m/s"),
            ("friction_force", "friction", "N"),
        ),
        strict=True,
    ):
        ax.plot(*thinned(results.time, results[name]))
        ax.set_ylabel(style.label(what, unit))
    axes[1].axhline(belt_speed, color="k", ls=":", lw=0.8, label="belt")
    axes[1].legend(loc="lower right")
    axes[-1].set_xlabel("time [s]")
    return figure


@style.styled
def portrait(results: Results, belt_speed: float) -> Figure:
    """Speed over place."""
    figure, (ax,) = style.new()
    ax.plot(results["block.x"], results["block.v"], label="block")
    ax.axhline(belt_speed, color="k", ls=":", lw=0.8, label="belt")
    ax.set_xlabel("displacement [m]")
    ax.set_ylabel("speed [m/s]")
    ax.legend(loc="lower left")
    return figure
