"""Films of plain journal bearings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ... import deprecated
from ...errors import InputError
from ..film.cavitation import Cavitation, Reynolds
from ..film.film import Film
from ..film.groove import Groove, grooved, listed
from ..film.lubricant import Lubricant, lubricant_of
from ..film.surface import Surface, cylinder
from ..film.thermal import Thermal
from ..film.turbulence import Turbulence

#: set of nodes where the film of ``plain_bearing`` starts
START = "start"


@deprecated.arguments(speed="sliding_speed")
def plain_bearing(
    radius: float, length: float, clearance: float, lubricant: Lubricant | float, *,
    sliding_speed: float = 1.0, cells: Sequence[int] = (96, 16),
    cavitation: Cavitation | None = None, narrowest: float = 0.0, crowd: float = 0.0,
    starts_at_largest_gap: bool = False, pressures: Mapping[str, float] | None = None,
    grooves: Sequence[Groove] = (), thermal: Thermal | None = None,
    turbulence: Turbulence | None = None,
) -> Film:  # fmt: skip
    """The film of a full cylindrical bearing about the third axis.

    Example:
        >>> film = plain_bearing(15e-3, 30e-3, 0.2e-3, 0.04, sliding_speed=100 * 15e-3)
        >>> Bearing(film).solve(Place(e=(0.12e-3, 0, 0), Omega=(0, 0, 100))).force

    Args:
        radius, length, clearance: m.
        lubricant: viscosity law, or the viscosity in Pa s.
        sliding_speed: typical sliding speed, m/s.
        cells: round and along.
        cavitation: default ``Reynolds()``.
        narrowest: direction from the first axis in which the gap is expected to be smallest, rad.
        crowd: crowds the lines round there, see ``cylinder``.
        starts_at_largest_gap: ambient pressure on the line opposite, as from an axial groove: what
            tables of bearings assume.
        pressures: set of nodes -> pressure, Pa; default: ambient at both ends.
        grooves: that feed the bearing; lines of nodes lie along their edges.
        thermal: how the oil warms, see ``Film``; grooves give fresh oil.
        turbulence: law of turbulent films, see ``Film``.
    """
    angles: list[float] = []
    places: list[float] = []
    for groove in (grooves := listed(grooves)):
        round_, along = groove.edges(length)
        angles, places = angles + round_, places + along
    if angles and starts_at_largest_gap:
        angles.append(narrowest + np.pi)
    surface = cylinder(
        radius, length, cells, start=narrowest, crowd=crowd, angles=angles, places=places
    )
    return bearing_on(
        surface, clearance, lubricant, sliding_speed=sliding_speed, cavitation=cavitation,
        narrowest=narrowest, starts_at_largest_gap=starts_at_largest_gap, pressures=pressures,
        grooves=grooves, thermal=thermal, turbulence=turbulence,
    )  # fmt: skip


@deprecated.arguments(speed="sliding_speed")
def bearing_on(
    surface: Surface, clearance: float, lubricant: Lubricant | float, *,
    sliding_speed: float = 1.0, cavitation: Cavitation | None = None, narrowest: float = 0.0,
    starts_at_largest_gap: bool = False, pressures: Mapping[str, float] | None = None,
    grooves: Sequence[Groove] = (), thermal: Thermal | None = None,
    turbulence: Turbulence | None = None,
) -> Film:  # fmt: skip
    """Like ``plain_bearing``, on an existing surface: the bore of a liner.

    Args:
        surface: a closed cylinder about the third axis with the ends ``z0`` and ``z1``.
        clearance, lubricant, sliding_speed, cavitation: see ``plain_bearing``.
        narrowest, starts_at_largest_gap, pressures: likewise.
        grooves: likewise; the nodes inside have their pressure.
        thermal, turbulence: likewise.

    Raises:
        InputError: no line of nodes opposite the smallest gap where the film shall start.

    Example::

        surface = lubrication.cylinder(15e-3, 30e-3, (64, 8))
        lubrication.bearing_on(surface, 50e-6, lubrication.Lubricant(0.04), sliding_speed=1.5)
    """
    edges = {"z0": 0.0, "z1": 0.0} if pressures is None else dict(pressures)
    if starts_at_largest_gap:
        away = -np.array([np.cos(narrowest), np.sin(narrowest)])

        def opposite(x):
            across = x[:, :2] / np.hypot(*x[:, :2].T)[:, None]
            return np.linalg.norm(across - away, axis=1) < 1e-6

        if not opposite(surface.nodes).any():
            raise InputError(
                "film: a film that starts opposite the smallest gap needs nodes there; use an even "
                "number of cells around the bearing."
            )
        surface = surface.marked(**{START: opposite})
        edges[START] = 0.0
    surface, fed, smooth, restrictors = grooved(surface, grooves)
    return Film(
        surface, clearance, lubricant_of(lubricant), cavitation or Reynolds(), edges | dict(fed),
        sliding_speed=sliding_speed, smooth=smooth, thermal=thermal, restrictors=restrictors,
        turbulence=turbulence or Turbulence(),
    )  # fmt: skip
