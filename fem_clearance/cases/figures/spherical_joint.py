"""Figures of the mechanisms with a spherical clearance joint of Tian et al. (2009): Figs. 9 to 14,
17 and 20 of the double pendulum, 22 to 27 of the four-bar mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...plotting import style
from ...plotting.curves import against, energies, line, over_time
from ...plotting.units import scaled
from ..parts.joints import lasting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``double_pendulum``."""
    clearance = p["joint.socket_radius"] - p["joint.ball_radius"]
    yield "fig09_tip_x", over_time(results, ["tip.x"], what="x of the free end B")
    yield "fig10_normal_force", over_time(results, ["joint.normal_force"], what="normal force")
    impact = first_contact(results)
    if impact is not None and "joint.ex" in results:
        yield "fig11_first_impact", force_over_penetration(results, impact)
    yield "fig12_tip_y", over_time(results, ["tip.y"], what="y of the free end B")
    if "joint.ex" in results:
        yield "fig13_ball_in_socket", ball_in_socket(results, clearance, 0.03)
        yield "ball_in_socket_all", ball_in_socket(results, clearance)
    yield "fig14_tip_path", _path(results)
    yield "fig17_eccentricity", eccentricity(results, clearance)
    yield "fig20_tip_x_and_speed", over_time(results, ["tip.x", "tip.vx"])
    yield "energies", energies(results)


def four_bar(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``spatial_four_bar``."""
    clearance = p["joint.socket_radius"] - p["joint.ball_radius"]
    yield "fig22a_24a_B_y", over_time(results, ["B.y"], what="y of the rocker's end B")
    yield "fig22b_24b_B_vy", over_time(results, ["B.vy"], what="y velocity of the rocker's end B")
    yield "fig23_joint_force", over_time(results, ["joint.normal_force"], what="force in the joint")
    if "joint.ex" in results:
        yield "fig25_eccentricity", eccentricity(results, clearance)
        yield "fig26_ball_in_socket", ball_in_socket(results, clearance, 0.3)
        yield "fig27_ball_in_socket", ball_in_socket(results, clearance, 1.0)
    yield "crank_angle", over_time(results, ["crank.angle_deg"], what="angle of OA")
    yield "energies", energies(results)


def first_contact(results: Results) -> slice | None:
    """Rows of the first contact, from the free row before it to the one after."""
    found = lasting(results["joint.normal_force"] > 0)
    return found and slice(max(found.start - 1, 0), found.stop + 1)


@style.styled
def force_over_penetration(results: Results, rows: slice) -> Figure:
    """Fig. 11: the loop of the first impact; its area is the energy lost."""
    (depth,), long = scaled("m", [results["joint.penetration"][rows]])
    (force,), strong = scaled("N", [results["joint.normal_force"][rows]])
    labels = style.label("penetration", long), style.label("normal force", strong)
    figure, (ax,) = style.new(x=labels[0], y=labels[1])
    ax.plot(depth, force, marker=".", markersize=3)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    return figure


@style.styled
def ball_in_socket(results: Results, clearance: float, until: float | None = None) -> Figure:
    """Fig. 13: path of the ball's centre from the socket's, and the circle of the clearance."""
    end = None if until is None else int(np.searchsorted(results.time, until, "right"))
    rows = slice(0, end)
    (x, y, *circle), unit = scaled(
        "m", [*(results[f"joint.{n}"][rows] for n in ("ex", "ey")), *style.circle(clearance)]
    )
    labels = [style.label(k, unit) for k in "xy"]
    figure, (ax,) = style.new(x=labels[0], y=labels[1], size=(4.2, 4.0))
    ax.plot(*circle, "k--", lw=0.9, label="clearance")
    time = results.time[rows]
    ax.plot(x, y, lw=0.8, label=f"centre of the ball, {time[0]:.3g} to {time[-1]:.3g} s")
    limit = 1.12 * max(float(np.abs(z).max(initial=0)) for z in (x, y, circle[0]))
    ax.set(aspect="equal", xlim=(-limit, limit), ylim=(-limit, limit))
    figure.legend(loc="outside upper center", ncols=2)
    return figure


@style.styled
def eccentricity(results: Results, clearance: float) -> Figure:
    """Fig. 17: distance of the centres over time, and the clearance."""
    (e, limit), unit = scaled("m", (results["joint.eccentricity"], np.array([clearance])))
    (time,), seconds = scaled("s", [results.time])
    figure = line(time, e, style.label("time", seconds), style.label("eccentricity", unit))
    ax = figure.axes[0]
    ax.axhline(limit[0], color="k", ls="--", lw=0.9, label="clearance")
    ax.legend(**style.ABOVE)
    return figure


def _path(results: Results) -> Figure:
    """Fig. 14: path of B in the plane of gravity."""
    return against(
        results, "tip.x", "tip.y", equal=True, what=("x of the free end B", "y of the free end B")
    )
