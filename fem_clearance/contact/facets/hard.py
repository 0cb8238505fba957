"""Hard contact of facets: the pressure at their nodes is an unknown, without any penetration.

With the gap g = -depth and the pressure p of a node, contact is p >= 0, g >= 0, p g = 0, or for any
r > 0

    p = max(0, p - r g),

which Newton's method solves with the derivative of whichever is larger (semismooth: an active set
that finds itself). The integrals are taken at the nodes, so that each condition is one node's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import basix.ufl
import numpy as np
import ufl

from ...bodies.solids.facets import FacetSet
from ...core.blocks import Block, Ref
from ...core.mixins import UpdatesParameters
from ...core.observables import Observable
from ...core.roles import Algebraic
from ...errors import InputError, StepFailed
from ...user_code import Law
from ..laws.normal import indicator
from .contact import SurfaceContactKind, facet_size, modulus_of

#: pressure by the modulus that unknowns are scaled by
UNIT = 1e-4


@dataclass(frozen=True)
class Hard(Law):
    """No penetration: the pressure at the facets' nodes is an unknown. For ``Statics``.

    There is no stiffness to choose, the least pressure is exactly zero, and Newton's method needs
    fewer iterations than with a stiff penalty. In time stepping it is refused: nodes that must not
    penetrate at all chatter after an impact. Take ``Winkler`` there.

    See docs/deformable_contact.md. Example::

        fc.Hard()
    """

    parameters: ClassVar[tuple[str, ...]] = ("r",)

    @staticmethod
    def values(facets: FacetSet) -> dict[str, float]:
        """r: modulus over the size of a facet, Pa/m (of no account for the result)."""
        return {"r": _modulus(facets) / facet_size(facets)}

    @staticmethod
    def energy(depth, p):
        """None is stored."""
        return 0 * depth


def _modulus(facets: FacetSet) -> float:
    """By which pressures are scaled, Pa.

    Raises:
        InputError: the material has none.
    """
    E = modulus_of(facets)
    if E is None:
        raise InputError(
            "Hard contact needs a material with a modulus E, by which its pressures are scaled."
        )
    return E


@dataclass(frozen=True)
class HardContactKind(SurfaceContactKind, UpdatesParameters):
    """A facet on a surface; its third field is the pressure at its nodes."""

    law: Any = Hard

    @property
    def rule(self) -> tuple[int, str]:
        return nodal_rule(self.degree)

    @property
    def own_elements(self):
        return [*super().own_elements, basix.ufl.element("Lagrange", self.cell, self.degree)]

    @property
    def label(self):
        return f"hard {super().label}"

    def pressure(self, c, at):
        return c.split(c.q)[2]

    def touches(self, c, at):
        trial = self.pressure(c, at) + c.par("law.r") * at.depth
        return indicator(ufl.gt(trial, 0))

    def residual(self, c):
        at, r = self.touch(c), c.par("law.r")
        p, w = self.pressure(c, at), c.split(c.test)[2]
        # in m times m^2; this sign makes the tangent symmetric
        excess = (self.touches(c, at) * (p + r * at.depth) - p) / r
        return (self.work(c, at) + c.par("thickness") * excess * w) * c.dx(*self.rule)

    def observables(self, c):
        # by dv/dq: 0 in equilibrium, where rates do not follow from coordinates
        stepping = Observable({self.rule: c.globals[1]}, "", "", "", False)
        return {**super().observables(c), "stepping": stepping}

    def update(self, parameters, observed):
        refuse_motion(observed)


def nodal_rule(degree: int) -> tuple[int, str]:
    """Quadrature of facets of a degree with its points at the nodes."""
    return (1, "vertex") if degree == 1 else (3, "GLL")


def refuse_motion(observed: dict[str, np.ndarray]) -> None:
    """End a motion: hard contact is one of ``Statics``.

    Raises:
        StepFailed: the observable ``stepping`` is not zero.
    """
    if np.any(observed["stepping"]):
        raise StepFailed(
            "hard contact of facets is available in Statics only, because in a motion nodes that "
            "must not penetrate would chatter; use law=Winkler() in a Simulation."
        )


def refuse_without_rule(owner: str, what: str, facets: FacetSet, or_else: str = "") -> None:
    """Refuse facets whose nodes are no points of a quadrature.

    Raises:
        InputError: those of quadratic tetrahedra.
    """
    if facets.solid.degree == 2 and facets.solid.mesh.cell == "tetrahedron":
        raise InputError(
            f"{owner}: {what} is not available on quadratic tetrahedra, which have no "
            "quadrature at the nodes of their facets; use hexahedra, or straight cells with "
            f"degree=1{or_else}."
        )


def add_pressures(builder, owner: str, facets: FacetSet) -> tuple[Block, Ref]:
    """Unknown pressures of the facets' nodes, and those of each facet.

    Raises:
        InputError: facets whose nodes are no points of a quadrature, a material without E.
    """
    refuse_without_rule(owner, "hard contact", facets, ", or law=Winkler()")
    nodes, size = facets.nodes, facet_size(facets)
    floor = size * facets.area / len(nodes)
    unit = UNIT * _modulus(facets)
    role = Algebraic("contact", unit=unit, counts_forces=True, force_floor=floor)
    block = Block(owner, "pressure", np.zeros(len(nodes)), role)
    builder.add_block(block)
    return block, Ref(block, np.searchsorted(nodes, facets.cells))
