"""Figures of the mechanisms with a spherical clearance joint of Tian et al. (2009): Figs. 9 to 14,
17 and 20 of the double pendulum, 22 to 27 of the four-bar mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...plotting import style
from ...plotting.curves import against, energies, over_time

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``double_pendulum``."""
    clearance = p["joint.socket_radius"] - p["joint.ball_radius"]
    yield "fig09_tip_x", titled(results, "tip.x", "x of B [m]")
    yield "fig10_normal_force", titled(results, "joint.normal_force", "normal force [N]")
    impact = first_contact(results)
    if impact is not None and "joint.ex" in results:
        yield "fig11_first_impact", force_over_penetration(results, impact)
    yield "fig12_tip_y", titled(results, "tip.y", "transverse displacement, y of B [m]")
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
    yield "fig22a_24a_B_y", titled(results, "B.y", "y of B [m]")
    yield "fig22b_24b_B_vy", titled(results, "B.vy", "y velocity of B [m/s]")
    yield "fig23_joint_force", titled(results, "joint.normal_force", "force in the joint [N]")
    if "joint.ex" in results:
        yield "fig25_eccentricity", eccentricity(results, clearance)
        yield "fig26_ball_in_socket", ball_in_socket(results, clearance, 0.3)
        yield "fig27_ball_in_socket", ball_in_socket(results, clearance, 1.0)
    yield "crank_angle", titled(results, "crank.angle_deg", "angle of OA [deg]")
    yield "energies", energies(results)


def titled(results: Results, channel: str, label: str) -> Figure:
    """A channel over time with words at its axis."""
    figure = over_time(results, [channel])
    figure.axes[0].set_ylabel(label)
    return figure


def first_contact(results: Results) -> slice | None:
    """Rows of the first contact, from the free row before it to the one after."""
    touching = results["joint.normal_force"] > 0
    if not touching.any():
        return None
    begin = int(np.argmax(touching))
    free = ~touching[begin:]
    end = begin + int(np.argmax(free)) if free.any() else len(touching) - 1
    return slice(max(begin - 1, 0), end + 1)


@style.styled
def force_over_penetration(results: Results, rows: slice) -> Figure:
    """Fig. 11: the loop of the first impact; its area is the energy lost."""
    figure, (ax,) = style.new(x="penetration [µm]", y="normal force [N]")
    depth, force = results["joint.penetration"][rows], results["joint.normal_force"][rows]
    ax.plot(depth * 1e6, force, marker=".", markersize=3)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    return figure


@style.styled
def ball_in_socket(results: Results, clearance: float, until: float | None = None) -> Figure:
    """Fig. 13: path of the ball's centre from the socket's, and the circle of the clearance."""
    figure, (ax,) = style.new(x="x [mm]", y="y [mm]", size=(4.2, 4.0))
    end = None if until is None else int(np.searchsorted(results.time, until, "right"))
    rows = slice(0, end)
    x, y = (results[f"joint.{n}"][rows] * 1e3 for n in ("ex", "ey"))
    ax.plot(*style.circle(1e3 * clearance), "k--", lw=0.9, label="clearance")
    time = results.time[rows]
    ax.plot(x, y, lw=0.8, label=f"centre of the ball, {time[0]:.3g} to {time[-1]:.3g} s")
    limit = 1.12 * max(clearance * 1e3, np.abs(x).max(initial=0), np.abs(y).max(initial=0))
    ax.set(aspect="equal", xlim=(-limit, limit), ylim=(-limit, limit))
    figure.legend(loc="outside upper center", ncols=2)
    return figure


@style.styled
def eccentricity(results: Results, clearance: float) -> Figure:
    """Fig. 17: distance of the centres over time, and the clearance."""
    figure = over_time(results, ["joint.eccentricity"])
    ax = figure.axes[0]
    ax.lines[0].set_ydata(ax.lines[0].get_ydata() * 1e3)
    ax.axhline(clearance * 1e3, color="k", ls="--", lw=0.9, label="clearance")
    ax.relim()
    ax.autoscale_view()
    ax.set_ylabel("eccentricity [mm]")
    ax.legend(loc="lower right")
    return figure


def _path(results: Results) -> Figure:
    """Fig. 14: path of B in the plane of gravity."""
    figure = against(results, "tip.x", "tip.y", equal=True)
    figure.axes[0].set(xlabel="x of B [m]", ylabel="y of B [m]")
    return figure
