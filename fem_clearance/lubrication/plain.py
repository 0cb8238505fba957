"""Films of plain journal bearings."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import InputError
from .cavitation import Cavitation, Reynolds
from .film import Film
from .lubricant import Lubricant
from .surface import cylinder

#: set of nodes where the film of ``plain_bearing`` starts
START = "start"


def plain_bearing(
    radius: float, length: float, clearance: float, lubricant: Lubricant | float, *,
    speed: float = 1.0, cells=(96, 16), cavitation: Cavitation | None = None,
    narrowest: float = 0.0, crowd: float = 0.0, starts_at_largest_gap: bool = False,
    pressures: Mapping[str, float] | None = None,
) -> Film:  # fmt: skip
    """The film of a full cylindrical bearing about the third axis.

    Example:
        >>> film = plain_bearing(15e-3, 30e-3, 0.2e-3, 0.04, speed=100 * 15e-3)
        >>> Bearing(film).solve(Place(e=(0.12e-3, 0, 0), Omega=(0, 0, 100))).force

    Args:
        radius, length, clearance: m.
        lubricant: viscosity law, or the viscosity in Pa s.
        speed: typical sliding speed, m/s.
        cells: round and along.
        cavitation: default ``Reynolds()``.
        narrowest: direction from the first axis in which the gap is expected to be smallest, rad.
        crowd: crowds the lines round there, see ``cylinder``.
        starts_at_largest_gap: ambient pressure on the line opposite, as from an axial groove: what
            tables of bearings assume.
        pressures: set of nodes -> pressure, Pa; default: ambient at both ends.
    """
    if not isinstance(lubricant, Lubricant):
        lubricant = Lubricant(lubricant)
    surface = cylinder(radius, length, cells, start=narrowest, crowd=crowd)
    edges = {"z0": 0.0, "z1": 0.0} if pressures is None else dict(pressures)
    if starts_at_largest_gap:
        if cells[0] % 2:
            raise InputError(
                f"film: a film that starts opposite the smallest gap needs an even number of cells "
                f"round the bearing, got {cells[0]}."
            )
        away = np.array([np.cos(narrowest), np.sin(narrowest)])
        near = 1e-6 * radius
        surface = surface.marked(
            **{START: lambda x: np.hypot(*(x[:, :2] + radius * away).T) < near}
        )
        edges[START] = 0.0
    return Film(
        surface, clearance, lubricant, cavitation or Reynolds(), edges, speed=speed,
    )  # fmt: skip
