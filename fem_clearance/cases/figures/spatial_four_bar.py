"""Figures of the spatial four-bar mechanism: Figs. 22 to 27 of Tian et al. (2009)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...plotting.curves import energies
from .pendulum import ball_in_socket, eccentricity, titled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results


def figures(results: Results, clearance: float) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other.

    Args:
        results: of a run of ``spatial_four_bar``.
        clearance: radial clearance of the joint, m.
    """
    yield "fig22a_24a_B_y", titled(results, "B.y", "y of B [m]")
    yield "fig22b_24b_B_vy", titled(results, "B.vy", "y velocity of B [m/s]")
    yield "fig23_joint_force", titled(results, "joint.normal_force", "force in the joint [N]")
    if "joint.ex" in results:
        yield "fig25_eccentricity", eccentricity(results, clearance)
        yield "fig26_ball_in_socket", ball_in_socket(results, clearance, 0.3)
        yield "fig27_ball_in_socket", ball_in_socket(results, clearance, 1.0)
    yield "crank_angle", titled(results, "crank.angle_deg", "angle of OA [deg]")
    yield "energies", energies(results)
