"""Figures of the worn four-bar mechanism: Figs. 9 to 20 of Bai, Zhang and Sun (2014)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...plotting import style
from ...plotting.curves import thinned
from ...plotting.units import scaled
from ..four_bar_wear import BEARING, JOURNAL, time_of_turn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results

#: channel, what it is, file name
OVER_ANGLE = (
    ("follower.acceleration", "angular acceleration of the follower", "fig09a"),
    ("crank.moment", "crank moment", "fig09b"),
    ("joint.normal_force", "contact force", "fig10"),
    ("joint.sliding_speed", "sliding speed", "fig13"),
    ("joint.bearing_angle_deg", "contact angle in the bearing", "fig14"),
    ("joint.clearance", "clearance where the surfaces touch", "fig16_19"),
)


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``four_bar_wear``."""
    turn, clearance = time_of_turn(p), BEARING - JOURNAL
    ends = _ends(results, turn * p["turns"])
    for channel, what, name in OVER_ANGLE:
        if channel in results:
            figure = over_angle(results, channel, what, ends, turn)
            yield f"{name}_{channel.split('.')[1]}", figure
    if "joint.eccentricity" in results:
        yield "fig11_20_journal_path", path(results, clearance, ends, turn)
    if "joint.bearing_wear" in results and len(ends) > 1:
        yield "fig12_17_wear_depth", wear_depth(results, ends, turn)


def _ends(results: Results, period: float) -> list[float]:
    """Ends of the wear periods, s."""
    count = max(1, round(results.time[-1] / period))
    return [period * (k + 1) for k in range(count - 1)] + [float(results.time[-1])]


def _rows(results: Results, end: float, turns: float, turn: float) -> np.ndarray:
    tiny = 1e-9 * turn
    return (results.time > end - turns * turn + tiny) & (results.time <= end + tiny)


def _periods(ends: list[float]) -> Iterator[tuple[str, float]]:
    """Label and end of each period; no label for a single one."""
    for k, end in enumerate(ends):
        yield (f"period {k + 1}" if len(ends) > 1 else ""), end


def _legend(figure: Figure, ends: list[float]) -> None:
    if len(ends) > 1:
        figure.legend(loc="outside upper center", ncols=len(ends))


@style.styled
def over_angle(results: Results, channel: str, what: str, ends, turn: float) -> Figure:
    """A channel over the crank's angle in the last two turns of each period."""
    (y,), unit = scaled(results.unit(channel), [results[channel]])
    figure, (ax,) = style.new(x="crank angle [deg]", y=style.wrapped(what, unit))
    for name, end in _periods(ends):
        _line(ax, results, end, 2, turn, y, name)
    ax.set_xticks(range(0, 721, 90))
    _legend(figure, ends)
    return figure


def _line(ax, results: Results, end: float, turns: float, turn: float, y, label: str) -> None:
    """A channel over the crank's angle, in the last turns before ``end``."""
    rows = _rows(results, end, turns, turn)
    angle = results["crank.angle_deg"][rows]
    x = angle - 360 * np.floor(angle[0] / 360 + 1e-6)
    ax.plot(*thinned(x, y[rows]), label=label, lw=0.9)


@style.styled
def path(results: Results, clearance: float, ends, turn: float) -> Figure:
    """Path of the journal's centre in the last turn of each period, and the round clearance."""
    (x, y, *round_), unit = scaled(
        "m", [results["joint.ex"], results["joint.ey"], *style.circle(clearance)]
    )
    labels = [style.label(k, unit) for k in "xy"]
    figure, (ax,) = style.new(x=labels[0], y=labels[1], size=(4.2, 4.2))
    ax.plot(*round_, "k--", lw=0.8, label="clearance")
    for name, end in _periods(ends):
        rows = _rows(results, end, 1, turn)
        ax.plot(x[rows][::4], y[rows][::4], lw=0.9, label=name or "journal's centre")
    ax.set_aspect("equal", adjustable="datalim")
    figure.legend(loc="outside upper center", ncols=3)
    return figure


@style.styled
def wear_depth(results: Results, ends, turn: float) -> Figure:
    """Worn depth of both bodies where they touch, over the crank's angle."""
    bodies = ("bearing", "journal")
    depths, unit = scaled("m", [results[f"joint.{body}_wear"] for body in bodies])
    labels = [style.label(f"worn depth of\nthe {body}", unit) for body in bodies]
    figure, axes = style.new(2, x="crank angle [deg]", y=labels)
    for ax, depth in zip(axes, depths, strict=True):
        for name, end in list(_periods(ends))[1:]:  # nothing is worn in the first one
            _line(ax, results, end, 1, turn, depth, f"in {name}")
        ax.set_ylim(bottom=0)
    axes[-1].set_xticks(range(0, 361, 45))
    axes[0].legend(loc="upper left")
    return figure
