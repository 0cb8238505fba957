"""Wear of two elastic solids that slide on each other: worn depths at the nodes of either side.

The points where facets meet move along both bodies, so that what wears off must be kept by the
bodies: as an unknown depth at each node, of first order in time,

    M d(depth)/dt = int N (k / H) p |v_t| dA,

by Archard's law, with the matrix M of the facets lumped. The depths of both sides are taken from
the penetration at the points in between.
"""

from __future__ import annotations

from dataclasses import dataclass

import basix.ufl
import numpy as np

from ...bodies.solids.elements import FacetKind
from ...bodies.solids.facets import FacetSet
from ...core.blocks import Block, Ref
from ...core.observables import Observable
from ...core.roles import Internal
from ...errors import InputError
from .hard import nodal_rule, refuse_without_rule
from .wear import SurfaceWear, checked_wear

#: slowest wear that is resolved, m/s
SLOWEST = 1e-9
#: names of the wear of the facets that are integrated over, and of the others
SIDES = ("worn", "others_worn")


def continuous_wear(who: str, wear: SurfaceWear | None) -> SurfaceWear | None:
    """Wear that two solids can have.

    Raises:
        InputError: something else, or wear with periods or a liner.
    """
    if wear is None:
        return None
    wear = checked_wear(who, wear)
    if wear.period is not None or wear.liner is not None:
        raise InputError(
            f"{who}: wear between facets of two solids is continuous; leave out period= and liner=."
        )
    return wear


@dataclass(frozen=True)
class WornDepthKind(FacetKind):
    """A facet and the depths that its nodes have lost: the lumped matrix of their rates.

    Args:
        side: name of the depths, one of ``SIDES``.
    """

    side: str = SIDES[0]

    feeds_energy = False

    @property
    def label(self):
        return f"worn depths of {super().label}"

    @property
    def own_parameters(self):
        return {"repeat": ()}

    @property
    def rule(self) -> tuple[int, str]:
        """Points at the nodes."""
        return nodal_rule(self.degree)

    @property
    def own_elements(self):
        return [basix.ufl.element("Lagrange", self.cell, self.degree)]

    def residual(self, c):
        rate, test = c.split(c.a)[1], c.split(c.test)[1]
        return c.par("thickness") * rate * test * c.dx(*self.rule)

    def observables(self, c):
        depth, width = c.split(c.v)[1], c.par("thickness")
        volume = Observable(
            {self.rule: width * depth / c.par("repeat")}, "m^3",
            "worn volume, without the factor by which wear is repeated",
        )  # fmt: skip
        return {f"{self.side}_volume": volume}


def add_depths(builder, owner: str, side: str, facets: FacetSet, wear: SurfaceWear) -> Block:
    """Unknown depths of the facets' nodes, with the cells of their matrix."""
    refuse_without_rule(owner, "wear", facets)
    nodes = facets.nodes
    floor = SLOWEST * facets.area / len(nodes)
    block = Block(owner, side, np.zeros(len(nodes)), Internal("wear", force_floor=floor))
    builder.add_block(block)
    kind = WornDepthKind(**facets.kind_arguments, side=side)
    refs = [Ref(block, np.searchsorted(nodes, facets.cells))]
    facets.add_to(builder, owner, kind, refs, repeat=float(wear.repeat or 1.0))
    return block
