"""Figures of the block on a belt: its motion over time, and the phase portrait."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ...plotting import style
from ...plotting.curves import thinned
from ...plotting.units import scaled
from ...runs.results import Results


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """Place, speed and friction over time, and speed over place, of a run of
    ``stick_slip_oscillator``."""
    yield "motion", motion(results, p["belt.speed"])
    yield "phase_portrait", portrait(results, p["belt.speed"])


@style.styled
def motion(results: Results, belt_speed: float) -> Figure:
    """Place, speed and friction of the block over time."""
    shown = {"block.x": "displacement", "block.v": "speed", "friction_force": "friction"}
    (time,), seconds = scaled("s", [results.time])
    belt = np.full(len(time), belt_speed)
    lines = [[results[n], *([belt] if n == "block.v" else [])] for n in shown]
    found = [scaled(results.unit(n), z) for n, z in zip(shown, lines, strict=True)]
    labels = [style.label(w, u) for w, (_, u) in zip(shown.values(), found, strict=True)]
    figure, axes = style.new(3, x=style.label("time", seconds), y=labels)
    for ax, ((values, *others), _) in zip(axes, found, strict=True):
        ax.plot(*thinned(time, values))
        for other in others:
            ax.plot(time[[0, -1]], other[[0, -1]], "k:", lw=0.8, label="belt")
    axes[1].legend(**style.ABOVE)
    return figure


@style.styled
def portrait(results: Results, belt_speed: float) -> Figure:
    """Speed over place."""
    (place,), long = scaled("m", [results["block.x"]])
    (speed, belt), fast = scaled("m/s", [results["block.v"], np.array([belt_speed])])
    labels = style.label("displacement", long), style.label("speed", fast)
    figure, (ax,) = style.new(x=labels[0], y=labels[1])
    ax.plot(place, speed, label="block")
    ax.axhline(belt[0], color="k", ls=":", lw=0.8, label="belt")
    ax.legend(ncols=2, **style.ABOVE)
    return figure
