"""Figures of the slider-crank with a clearance joint, over the crank's turns."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from ...plotting import style
from ...plotting.curves import line
from ...plotting.units import scaled
from ...runs.results import Results

#: turns shown over time, at the end of a run
SHOWN = 2


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """Acceleration of the slider, moment of the crank and joint force over the last turns, and the
    path of a journal with clearance in its bearing, of a run of ``slider_crank_revolute``."""
    turns = results["crank.angle_deg"] / 360
    rows = turns >= turns[-1] - SHOWN
    for name, what in (
        ("slider.acceleration", "slider acceleration"),
        ("crank.moment", "crank moment"),
        ("joint.normal_force", "joint force"),
    ):
        (y,), unit = scaled(results.unit(name), [results[name][rows]])
        drawn = line(turns[rows], y, "turns of the crank", style.label(what, unit), lw=0.8)
        yield name.replace(".", "_"), drawn
    if p["joint.kind"] != "ideal":
        yield "journal_path", path(results, p["clearance"])


@style.styled
def path(results: Results, clearance: float) -> Figure:
    """Path of the journal's centre divided by the clearance, and the clearance circle."""
    figure, (ax,) = style.new(
        x="x of the journal's centre / clearance", y="y of the journal's centre / clearance",
        size=(4.2, 4.0),
    )  # fmt: skip
    x, y = (results[f"joint.e{n}"] / clearance for n in "xy")
    ax.plot(x, y, lw=0.5, label="journal's centre")
    ax.plot(*style.circle(), "k", lw=0.8, label="clearance")
    ax.set_aspect("equal")
    figure.legend(loc="outside upper center", ncols=2)
    return figure
