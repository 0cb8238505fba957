"""Films on facets of solids, whose pressure is given at the corners of the facets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import checks
from ...bodies.solids.facets import FacetSet
from ...core.blocks import Block, Ref
from ...core.roles import Algebraic
from ...errors import InputError
from ...meshes import cells as reference
from .cavitation import Cavitation, Reynolds
from .dimensions import check_unknown_pressures
from .film import FILM
from .lubricant import FilmUnits, Lubricant, lubricant_of
from .peak import add_peak_pressure
from .surface import counted_edges
from .thermal import Adiabatic, Warmth, add_temperature, check_model, groups, warmth


def film_nodes(who: str, facets: FacetSet, open: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes of the pressure of a film on facets.

    Args:
        who: for messages.
        open: which of those on the rim are at ambient pressure, a function of their places (n, 3);
            ``None``: all.

    Returns:
        Nodes of each facet, (facets, corners); which nodes of the solid they are; which of them are
        at ambient pressure.

    Raises:
        InputError: none of them is.
    """
    cell = reference.FACET[facets.solid.mesh.cell]
    corners = facets.cells[:, : len(reference.entities(cell, 0))]
    used, numbers = np.unique(corners, return_inverse=True)
    numbers = numbers.reshape(corners.shape)
    if cell == "interval":
        nodes, times = np.unique(numbers, return_counts=True)
        rim = nodes[times == 1]
    else:
        edges, times = counted_edges(numbers, cell)
        rim = np.unique(edges[times == 1])
    if open is not None:
        rim = rim[np.asarray(open(facets.solid.nodes[used[rim]]), bool)]
    if not len(rim):
        raise InputError(f"{who}: no node of the rim is at ambient pressure.")
    return numbers, used, rim


class FilmOnFacets(FilmUnits):
    """Laws, scales and unknowns of a film on the facets of a solid; base class of joints.

    Attributes:
        facets: at whose corners the pressure is an unknown.
        lubricant, cavitation: laws.
        corners: nodes of the pressure of each facet, (facets, corners).
        used: which nodes of the solid these are, (nodes,).
        ambient: those at ambient pressure.
        cell: of the facets.
        thermal, warmth: model and unknowns of the temperature, if it is computed.
    """

    facets: FacetSet
    thermal: Adiabatic | None = None
    warmth: Warmth

    def _fill(
        self,
        who: str,
        facets: FacetSet,
        lubricant: Lubricant | float,
        cavitation: Cavitation | None,
        sliding_speed: float,
        open: Any,
    ) -> None:
        """Set the attributes above and the sliding speed.

        Raises:
            InputError: cavitation that conserves the lubricant, a compressible lubricant, no node
                of the rim at ambient pressure, or all nodes.
        """
        self.lubricant = lubricant_of(lubricant)
        self.cavitation = cavitation or Reynolds()
        if not isinstance(self.cavitation, Cavitation) or self.cavitation.conserving:
            raise InputError(f"{who}: cavitation must be Full(), Guembel() or Reynolds().")
        if self.lubricant.density.parameters:
            raise InputError(f"{who}: the lubricant's density must be constant.")
        self.sliding_speed = checks.positive(f"{who}: sliding_speed", sliding_speed)
        self.cell = reference.FACET[facets.solid.mesh.cell]
        self.corners, self.used, self.ambient = film_nodes(who, facets, open)
        check_unknown_pressures(who, np.isin(np.arange(len(self.used)), self.ambient))

    @property
    def radius(self) -> float:  # type: ignore[override]
        """Half the length of the facets, m."""
        return float(np.ptp(self.facets.solid.nodes[self.facets.nodes], axis=0).max()) / 2

    @property
    def viscosity(self) -> float:  # type: ignore[override]
        """At ambient pressure, Pa s."""
        return self.lubricant.viscosity

    @property
    def area(self) -> float:
        """Of the facets, m^2."""
        return self.facets.area

    # --- temperature ----------------------------------------------------------------------------
    def _warm(self, who: str, thermal: Adiabatic | None, along: np.ndarray) -> None:
        """Set ``thermal`` and the nodes of the temperature, ``warmth``.

        Args:
            who: for messages.
            thermal: model of the temperature, or ``None``.
            along: direction of sliding, a unit vector, (3,).

        Raises:
            InputError: another model, facets that are not quadrilaterals, or a single row of them.
        """
        self.thermal = thermal
        if thermal is None:
            return
        if not isinstance(thermal, Adiabatic) or thermal.grooves:
            raise InputError(
                f"{who}: thermal must be Adiabatic(supply=...) without grooves, because a film on "
                f"facets is fed at its rim between insulated walls; got {thermal!r}."
            )
        if self.cell != "quadrilateral":
            raise InputError(
                f"{who}: thermal= needs facets that are quadrilaterals; use a solid of hexahedra, "
                "or leave out thermal=."
            )
        check_model(thermal, self.cavitation, self.lubricant)
        edges, times = counted_edges(self.corners, self.cell)
        rim = edges[(times == 1) & np.isin(edges, self.ambient).all(axis=1)]
        ends = self.facets.solid.nodes[self.used][rim]
        vector = ends[:, 1] - ends[:, 0]
        across = np.abs(vector @ along) < 0.7 * np.linalg.norm(vector, axis=1)
        self.warmth = warmth(self.corners, {}, [np.unique(rim[z]) for z in (across, ~across)])
        if self.warmth.inside.any():
            raise InputError(
                f"{who}: some facets lie between two edges at ambient pressure, where the oil has "
                "the temperature of the supply; use two facets at least in each direction."
            )

    def _temperatures(self, builder, name: str) -> list[tuple[np.ndarray, list[Ref]]]:
        """Register the temperatures, and return which facets use which of them."""
        assert self.thermal is not None
        T, groove, _ = add_temperature(
            builder, name, self.thermal, None, self.warmth, 1e-6 * self.power_unit, 1.0
        )
        return groups(self.warmth, T, groove)

    # --- unknowns -------------------------------------------------------------------------------
    def places(self, values: np.ndarray) -> np.ndarray:
        """Where the nodes of the pressure are, m, (n, 3), from coordinates by global number."""
        solid = self.facets.solid
        return (solid.nodes + solid.at_nodes(values))[self.used]

    def _unknowns(self, builder, name: str, after: tuple | None = None) -> list[Ref]:
        """Register the pressure, its complement and ``max_pressure``; returns the unknowns by
        facet."""
        fixed = np.isin(np.arange(len(self.used)), self.ambient)
        refs: list[Ref] = []
        for what, unit in (("pressure", self.pressure_unit), ("inflow", self.rate_unit)):
            role = Algebraic(
                FILM, unit=unit, counts_forces=True, force_floor=1e-6 * self.power_unit,
                complements=refs[0].block if refs else None,
            )  # fmt: skip
            block = Block(name, what, np.zeros(len(fixed)), role, fixed=fixed)
            builder.add_block(block, after=after)
            refs.append(Ref(block, self.corners))
            if not self.cavitation.complementary:
                break
        add_peak_pressure(builder, name, refs[0].block, np.arange(len(fixed)))
        return refs
