"""Tilting pads that warm and deform: the oil between them, their meshes and their elastic bodies.

Of the hot oil that leaves a pad the part lambda goes on to the next one, where fresh oil makes up
for the rest::

    T_in - T_s = lambda q_out (T_out - T_s) / (q_s + lambda q_out)

q_s is what is supplied between two pads, part of which may not enter; without such a number just
what the next pad lacks, q_in - lambda q_out. T_out is mixed over the trailing edge, by what the
journal draws from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ... import checks
from ...bodies.solids.condensed import CondensedSolid
from ...errors import InputError
from ...meshes.mesh import Mesh
from ...meshes.structured import structured
from ..film.across import CONDUCTION, DRAW
from ..film.liner import Liner
from ..film.thermal import Thermal
from ..film.walls import Conducting, Shaft
from .bearing import Bearing
from .place import FilmState

#: part of what a film conducts that the journal's heat changes with its temperature at least
LEAST = 0.1
#: by the last change, the most that the journal's temperature changes by the secant: while the
#: films still get thinner they heat it more, whatever temperature it has, and it expands
GROW = 2.0


def tilting_pad_mesh(
    radius: float, arc: float, thickness: float, length: float, cells: Sequence[int], *,
    offset: float = 0.5, pivot: float | None = None, degree: int = 2,
) -> Mesh:  # fmt: skip
    """Mesh of a tilting pad in its own axes, of which the first points to its pivot.

    Facet sets: ``bore``, ``rim``, ``start``, ``end``, ``z0``, ``z1``, and ``pivot``, the facets of
    the back around the first axis, over the whole length.

    Example:
        >>> tilting_pad_mesh(0.05, np.radians(75), 0.02, 0.07, (16, 6, 3))

    Args:
        radius: radius of its surface, m.
        arc: angle of the pad, rad.
        thickness, length: m.
        cells: numbers of cells around, along and through, (3,).
        offset: fraction of the arc, from its start in the positive sense, at which the pivot lies.
        pivot: width of the set ``pivot``, rad; default: the two cells beside the pivot.
        degree: degree of the geometry.

    Raises:
        InputError: numbers out of range, a pivot narrower than the facets.
    """
    who = "tilting_pad_mesh"
    for name, value in (("radius", radius), ("arc", arc), ("thickness", thickness),
                        ("length", length)):  # fmt: skip
        checks.positive(f"{who}: {name}", value)
    checks.within(f"{who}: offset", offset, 0.0, 1.0)

    def place(unit):
        angle, r = arc * (unit[:, 0] - offset), radius + thickness * unit[:, 2]
        return np.stack([r * np.cos(angle), r * np.sin(angle), length * (unit[:, 1] - 0.5)], 1)

    sides = {(0, 0): "start", (0, 1): "end", (1, 0): "z0", (1, 1): "z1", (2, 0): "bore",
             (2, 1): "rim"}  # fmt: skip
    mesh = structured(cells, place, degree=degree, names=sides, source=who)
    half = 1.01 * (arc / cells[0] if pivot is None else checks.positive(f"{who}: pivot", pivot) / 2)
    back = mesh.facet_set("rim", who)
    centers = mesh.centers[back[:, 0]]
    near = np.abs(np.arctan2(centers[:, 1], centers[:, 0])) < half
    if not near.any():
        raise InputError(f"{who}: no facet lies at the pivot; give a wider pivot or more cells.")
    return Mesh(mesh.cell, mesh.points, mesh.cells, {**mesh.facets, "pivot": back[near]}, degree,
                who)  # fmt: skip


class PadLiner(Liner):
    """The surface of an elastic pad, which is no closed ring.

    Args:
        solid: condensed to its facets ``facets``, clamped at its pivot, in the pad's axes.
    """

    def __init__(self, solid: CondensedSolid, facets: str = "bore"):
        if not isinstance(solid, CondensedSolid):
            raise InputError(f"tilting pads: solid must be a CondensedSolid, got {solid!r}.")
        super().__init__(solid, facets)

    def _ends(self) -> dict[str, np.ndarray]:
        return {}


class Inlets:
    """Temperatures of the oil that enters each pad, from that which leaves the one before, and of
    the journal that all of them heat.

    Args:
        bearings: of the pads.
        angles: of their pivots, rad.
        thermal: of their films.
        supply_flow: of fresh oil to each gap between pads, m^3/s; ``None``: what is lacking.

    Raises:
        InputError: grooves.
    """

    def __init__(
        self, bearings: Sequence[Bearing], angles: Sequence[float], thermal: Thermal,
        supply_flow: float | None = None,
    ):  # fmt: skip
        if thermal.grooves:
            raise InputError(
                "tilting pads: oil enters in the gaps between the pads; leave out grooves= of "
                "thermal."
            )
        shaft = thermal.journal if isinstance(thermal, Conducting) else None
        self.shaft = shaft if isinstance(shaft, Shaft) else None
        self.bearings, self.thermal, self.supply_flow = bearings, thermal, supply_flow
        self.order = np.argsort(np.mod(angles, 2 * np.pi))
        #: over the supply's temperature, K: of what enters each pad, and of the journal
        self.rises = np.zeros(len(bearings) + 1)
        #: the journal's temperature before, and the heat that was left of it, W
        self._last: tuple[float, float] | None = None

    @staticmethod
    def held(thermal: Thermal) -> Thermal:
        """The same of one pad, whose journal has a temperature that ``follow`` gives it."""
        if isinstance(thermal, Conducting) and isinstance(thermal.journal, Shaft):
            return replace(thermal, journal=thermal.supply)
        return thermal

    def follow(self, films: Sequence[FilmState], speed: float) -> float:
        """Take the temperatures from solved films; returns by how much they change at most, K."""
        edges = ("start", "end") if speed > 0 else ("end", "start")
        order = self.order if speed > 0 else self.order[::-1]
        before = self.rises.copy()
        for here, there in zip(order, np.roll(order, -1), strict=True):
            hot, out = self._leaving(films[here], edges[1])
            enters = -self._flow(self.bearings[there], edges[0])
            carried = self.thermal.carry_over * max(out, 0.0)
            fresh = max(enters - carried, 0.0) if self.supply_flow is None else self.supply_flow
            self.rises[there] = carried / (carried + fresh) * hot if carried else 0.0
        if self.shaft is not None:
            self._turn(self.shaft, films)
        for bearing, rise in zip(self.bearings, self.rises, strict=False):
            self._feed(bearing, rise)
        return float(np.abs(self.rises - before).max())

    def _feed(self, bearing: Bearing | None, rise: float) -> None:
        """Give the oil that enters a pad a temperature, and the journal its own, on all meshes."""
        while bearing is not None:
            places = bearing.temperatures.places
            bearing.state.q[places["groove"][-1]] = rise
            if self.shaft is not None:
                bearing.state.q[places["journal"]] = self.rises[-1]
            bearing = bearing.coarser

    def _turn(self, shaft: Shaft, films: Sequence[FilmState]) -> None:
        """A step of the secant method for the temperature at which the journal's heat balances; the
        first with what a film conducts between fixed temperatures, which is too much."""
        most, left, T = 0.0, 0.0, float(self.rises[-1])
        for film, bearing in zip(films, self.bearings, strict=True):
            assert film.warm is not None
            own = bearing.film
            most += CONDUCTION[1, 1] * own.lubricant.conductivity * own.area / film.thickness.mean()
            left += film.warm.journal_heat
        outside = self.thermal.supply if shaft.temperature is None else shaft.temperature
        most += shaft.conductance
        left -= shaft.conductance * (self.thermal.supply + T - outside)
        change = left / most
        if self._last is not None and self._last[0] != T:
            last = T - self._last[0]
            slope = np.clip((self._last[1] - left) / last, LEAST * most, most)
            limit = max(GROW * abs(last), abs(change))
            change = np.clip(left / slope, -limit, limit)
        self._last = T, left
        self.rises[-1] = T + change

    def _leaving(self, film: FilmState, edge: str) -> tuple[float, float]:
        """Temperature over the supply's of what leaves at an edge, K, and its flow, m^3/s."""
        bearing, warm = film.bearing, film.warm
        assert isinstance(bearing, Bearing) and warm is not None
        nodes = bearing.film.surface.sets[edge]
        rise = warm.temperature[nodes] - self.thermal.supply
        if warm.bush is not None and warm.journal is not None:
            walls = [z if len(z) == 1 else z[nodes] for z in (warm.bush, warm.journal)]
            shares = DRAW.sum(axis=0)
            rise = shares[2] * rise
            for share, wall in zip(shares, walls, strict=False):
                rise = rise + share * (wall - self.thermal.supply)
        width = np.full(len(nodes), 1.0)
        width[[0, -1]] = 0.5  # nodes of an edge are in order, from end to end
        return float(width @ rise / width.sum()), self._flow(bearing, edge)

    @staticmethod
    def _flow(bearing: Bearing, edge: str) -> float:
        """What leaves a pad at an edge in its last solution, m^3/s; where it is less than nothing,
        what enters there (which ``FilmState.outflow`` leaves out where films break)."""
        flow = bearing._flow(bearing.state.residual())
        return float(flow[bearing.film.given()[edge]].sum())
