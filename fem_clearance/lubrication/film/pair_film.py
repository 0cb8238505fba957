"""The joint of a film between facets of two elastic solids (pair_film_kind.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import checks
from ...bodies.solids.facets import FacetSet
from ...contact.facets.pair_contact import FacetPairContact
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...errors import InputError
from ...meshes import cells as reference
from ...model.portrait import Portrait
from .cavitation import Cavitation, Guembel
from .lubricant import Lubricant
from .on_facets import FilmOnFacets
from .pair_film_kind import FilmNodesKind, PairFilmKind

#: what pins the pressure of uncovered corners, by what a film of the typical thickness conducts
#: over a facet
PIN = 100.0


class FacetPairFilm(FilmOnFacets, FacetPairContact):
    """A film between facets of a solid and facets of another.

    If the surfaces come closer than ``least``, the transition to dry contact begins, so that a
    ``SurfaceContact`` of the same facets can take over the load. The pressure is ambient on the rim
    of the first facets and where nothing lies opposite to them. Films on plane solids have no flow
    across the plane.

    Args:
        facets: facets whose nodes have the pressure: the smaller surface, with the smaller cells.
        others: facets of another solid.
        lubricant: viscosity law (of constant density), or the viscosity in Pa s.
        clearance: typical thickness, m.
        sliding_speed: typical sliding speed, m/s, by which unknowns are scaled.
        cavitation: ``Full()``, ``Guembel()`` or ``Reynolds()`` (default).
        least: thickness at which the transition begins, as a fraction of the clearance.
        open: which nodes on the rim of the facets are at ambient pressure, a function of their
            positions (n, 3); default: all. The rim is sealed at the others.
        resolution, reach: see ``FacetPairContact``.
        name: for messages and channels.

    Channels: ``normal_force``, ``force.x`` to ``force.z`` (N) and ``moment.x`` to ``moment.z``
    (N m, about the origin) on the first solid, ``power_loss`` (W), ``area`` of the film (m^2),
    ``min_film`` (m, least of the means over facets, negative in contact), ``max_pressure`` (Pa).

    Raises:
        InputError: besides those of ``FacetPairContact``: cavitation that conserves the lubricant,
            a compressible lubricant, no rim at ambient pressure, facets that do not lie opposite
            to each other at the start.

    See docs/ehd.md. Example::

        lubrication.FacetPairFilm(solid.facets("x1"), plate.facets("x0"), lubricant=0.04,
                                  clearance=4e-5)
    """

    prefix, label, sort = "facet_film", "film between two solids", "film_facets"

    def __init__(
        self,
        facets: FacetSet,
        others: FacetSet,
        *,
        lubricant: Lubricant | float,
        clearance: float,
        sliding_speed: float = 1.0,
        cavitation: Cavitation | None = None,
        least: float = 0.05,
        open: Any = None,
        resolution: int | None = None,
        reach: float | None = None,
        name: str | None = None,
    ):
        super().__init__(facets, others, resolution=resolution, reach=reach, name=name)
        who = name or self.label
        self._fill(who, facets, lubricant, cavitation, sliding_speed, open)
        self.clearance = checks.positive(f"{who}: clearance", clearance)
        self.least = checks.positive(f"{who}: least", least) * self.clearance
        self.pressure: Block | None = None

    def pressures(self, system) -> tuple[np.ndarray, np.ndarray] | None:
        """Where the nodes of the pressure are now, m, (n, 3), and the pressure there as it acts,
        Pa, (n,); on rank 0, elsewhere ``None``; collective."""
        state = system.state
        values = state.everything(state.q)
        if state.comm.rank:
            return None
        assert self.pressure is not None
        free = self.pressure.free
        p = np.zeros(len(self.used))
        p[free] = values[self.pressure.numbers[free]]
        if isinstance(self.cavitation, Guembel):  # tensions do not act
            p = np.maximum(p, 0.0)
        return self.places(values), p

    def portrait(self) -> Portrait:
        data = {**self.facets.portrait(), "others": self.others.portrait()}
        return Portrait(self.sort, data=data)

    def build(self, builder) -> None:
        pairs, name = self._pairs(), str(self.name)
        kind = PairFilmKind(
            self._cutting, lubricant=type(self.lubricant), cavitation=type(self.cavitation)
        )
        refs, rows = self._of_pairs(pairs)
        nodal = self._nodes(builder, name)
        refs.append(Ref(nodal[0].block, self.corners[pairs[:, 0]]))
        area, pin = self._pins()
        whole = area.sum(axis=1, keepdims=True)
        rows["pinned"] = (pin[:, None] * area / whole)[pairs[:, 0]]
        numbers = self._add_pairs(
            builder, kind, refs, rows, **self.lubricant.values(), least=self.least, share=0.0,
            absent=0.0,
        )  # fmt: skip
        if not np.any(kind.column(numbers, "share")):
            raise InputError(
                f"{name}: no facet of {self.facets!r} lies opposite to {self.others!r} at the "
                "start; place the solids such that these face each other."
            )

    def _nodes(self, builder, name: str) -> list[Ref]:
        """Register the pressure, what complements it, and the cells of both; the unknowns."""
        refs = self._unknowns(builder, name)
        self.pressure = refs[0].block
        kind = FilmNodesKind(self.corners.shape[1], type(self.cavitation))
        blank = dict.fromkeys(("area", "pin"), 0.0)
        row = kind.pack(**blank, pressure_unit=self.pressure_unit, rate_unit=self.rate_unit)
        rows = np.tile(row, (len(self.corners), 1))
        area, pin = self._pins()
        rows[:, kind.columns("area")] = area
        rows[:, kind.columns("pin")] = pin[:, None]
        builder.add_cell(kind, Cell(name, list(refs), rows, count=len(rows)))
        return refs

    def _pins(self) -> tuple[np.ndarray, np.ndarray]:
        """Areas of the corners of each facet, m^2, (facets, corners), and by how much they lose
        where they are uncovered, m/(Pa s), (facets,)."""
        area, _ = self.facets.quadrature(8)
        spots, _ = reference.quadrature(self.cell, 8)
        each = area @ reference.shape_functions(self.cell, 1, spots)[0]
        size = each.sum(axis=1) / self.facets.solid.thickness
        square = size if self.facets.solid.dimension == 3 else size**2
        return each, PIN * self.clearance**3 / (12 * self.viscosity * square)
