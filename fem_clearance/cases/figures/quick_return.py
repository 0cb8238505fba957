"""Figures of the quick-return mechanism: Figs. 14, 15, 18, 19 and 20 of Tian et al. (2015)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...plotting import style
from ...plotting.bearings import figure as pressures
from ...plotting.curves import thinned
from ...plotting.films import saved
from ...plotting.offscreen import IN_PARAVIEW, opengl_works
from ...plotting.units import scaled
from ..quick_return import ANGLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results

logger = logging.getLogger(__name__)

#: crank angle of Fig. 20, deg
PICTURED = 90.0
#: bearings in the order of the paper's figure; the crank is next to F
BEARINGS = "ADCF"


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``quick_return``."""
    films = p["coupled"] and p["bearings"] in ("hd", "ehd")
    bent = ("rod_tip.deflection", "deflection of the tip")
    motion = (
        ("rod_tip.y", "$y$ of the tip"), ("rod_tip.vy", "velocity"),
        ("rod_tip.ay", "acceleration"),
    )  # fmt: skip
    yield "fig14_tip_deflection", over_angle(results, bent)
    yield "fig15_18_tip_motion", over_angle(results, *motion)
    if p["coupled"]:
        yield "mesh_force", over_angle(results, ("mesh_force", "force of the mesh"))
        clearance = p["clearance"] if films else None
        yield "fig19_orbits", orbits(results, clearance, float(np.degrees(ANGLE)))
    if films and p["output.fields_every"]:
        yield from bearings(results, "bearing.")


def bearings(results: Results, prefix: str) -> Iterator[tuple[str, Figure]]:
    """Pressure of the films and stress in the liners at a crank angle of 90 degrees, of a run that
    has written fields; without OpenGL only a warning.

    Args:
        results: of the run.
        prefix: of the joints' names.
    """
    if not opengl_works():
        logger.warning("no pictures of the bearings: %s.", IN_PARAVIEW)
        return
    at = float(results.time[np.argmin(np.abs(results["crank.angle_deg"] - PICTURED))])
    joints = [f"{prefix}{n}" for n in BEARINGS]
    found = saved(results.folder, joints[0], at)[0]
    angle = float(np.interp(found, results.time, results["crank.angle_deg"]))
    titles = [f"{n}, crank at {angle:.0f}°" for n in BEARINGS]
    yield "fig20_bearings", pressures(results.folder, joints, at, titles)


@style.styled
def over_angle(results: Results, *lines: tuple[str, str]) -> Figure:
    """Channels over the crank angle; ``lines``: name and description of each."""
    found = [scaled(results.unit(name), [results[name]]) for name, _ in lines]
    labels = [style.label(what, unit) for (_, what), (_, unit) in zip(lines, found, strict=True)]
    figure, axes = style.new(len(lines), x="crank angle [deg]", y=labels)
    for ax, ((values,), _) in zip(axes, found, strict=True):
        ax.plot(*thinned(results["crank.angle_deg"], values), lw=0.9)
        ax.ticklabel_format(axis="y", style="plain")
    figure.align_ylabels(axes)
    turns = np.arange(-90, results["crank.angle_deg"][-1] + 1, 90)
    if len(turns) < 14:
        axes[-1].set_xticks(turns)
    return figure


@style.styled
def orbits(results: Results, clearance: float | None, pressure_angle: float) -> Figure:
    """Paths of the journals' centres, with the line of action and the clearance circle.

    Args:
        results: of a run of ``quick_return``.
        clearance: m, or ``None``.
        pressure_angle: of the gears, deg.
    """
    figure, axes = style.subplots(2, 2, figsize=(6.4, 6.6), sharex=True, sharey=True)
    found = [np.array([results[f"journal.{n}.{x}"] for x in "xy"]) for n in BEARINGS]
    (*paths, circle), unit = scaled("m", [*found, style.circle(clearance or 0.0)])
    reach = 1.08 * max(float(np.abs(z).max()) for z in (*paths, circle))
    # the pinion, above, pushes the gear towards +y and away from itself
    slope = np.radians(-pressure_angle)
    along = reach * np.array([np.cos(slope), np.sin(slope)])
    for ax, name, path in zip(axes.flat, BEARINGS, paths, strict=True):
        ax.plot(*np.outer(along, (-1, 1)), "--", color="black", lw=0.8, label="line of action")
        if clearance:
            ax.plot(*circle, color="0.4", lw=0.8, label="clearance")
        ax.plot(*path, lw=0.7, label="journal's centre")
        ax.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), title=name)
    for k in range(2):
        axes[1, k].set_xlabel(style.label("$y$", unit))
        axes[k, 0].set_ylabel(style.label("$z$", unit))
    handles, words = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, words, ncols=3, loc="outside upper center")
    return figure
