"""Facets of a solid on the surface of a guide: contact as an integral over the facets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, ClassVar

import basix
import basix.ufl
import numpy as np
import ufl

from ... import checks
from ...bodies.solids.elements import FacetKind
from ...bodies.solids.facets import FacetSet
from ...core.observables import Observable
from ...errors import InputError
from ...model.frame import FrameKind, RigidFrame
from ...user_code import Law
from ..clearance import NOTHING, law_symbols, sliding_friction
from ..guide import GuideSurface, Plane, Touch, touch
from ..laws.normal import indicator


@dataclass(frozen=True)
class Winkler(Law):
    """Pressure of a contact by penalty: p = k depth (1 + a rate), not below zero.

    Args:
        stiffness: k, Pa/m; default: ten times the modulus of a facet's cell over its size, which
            leaves a tenth of that cell's own deflection as penetration.
        damping: a, s/m; none at zero depth, so that the pressure begins without a jump.

    Raises:
        InputError: a stiffness that is not positive, a negative damping.
    """

    scalars: ClassVar[tuple[str, ...]] = ("modulus", "pressure", "energy")

    stiffness: float | None = None
    damping: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("k", "a")

    def __post_init__(self):
        if self.stiffness is not None:
            checks.positive("Winkler.stiffness", self.stiffness)
        checks.non_negative("Winkler.damping", self.damping)

    def values(self, facets: FacetSet) -> dict[str, float]:
        """Numbers of the law on facets of a solid."""
        k = self.stiffness
        if k is None:
            material = facets.solid.material
            if not hasattr(material, "E"):
                raise InputError("Winkler needs a stiffness in Pa/m: the material has no E.")
            size = facets.area / facets.solid.thickness / len(facets.cells)  # a length or an area
            size = np.sqrt(size) if facets.solid.dimension == 3 else size
            k = 10 * material.E / size
        return {"k": float(k), "a": float(self.damping)}

    @staticmethod
    def modulus(rate, p: SimpleNamespace):
        """Pressure by depth, Pa/m."""
        return p.k * (1 + p.a * rate)

    @classmethod
    def pressure(cls, depth, rate, p: SimpleNamespace):
        """Pa per undeformed area."""
        pressure = depth * cls.modulus(rate, p)
        return indicator(ufl.And(ufl.gt(depth, 0), ufl.gt(pressure, 0))) * pressure

    @staticmethod
    def energy(depth, p: SimpleNamespace):
        """Elastic energy, J/m^2."""
        return indicator(ufl.gt(depth, 0)) * p.k * depth**2 / 2


@dataclass(frozen=True)
class SurfaceContactKind(FacetKind):
    """A facet on one surface of a guide, whose frame is its second field."""

    feeds_energy = False

    frame: FrameKind = RigidFrame()
    law: type[Winkler] = Winkler
    friction: type[Any] | None = None
    surface: type[GuideSurface] = Plane
    #: quadrature degree, which resolves contact on a part of the facet
    resolution: int = 8

    @cached_property
    def points(self) -> int:
        """Quadrature points of a facet."""
        return len(basix.make_quadrature(basix.CellType[self.cell], self.resolution)[1])

    @property
    def own_parameters(self):
        laws = {"law": self.law, "friction": self.friction, "surface": self.surface}
        read = {f"{r}.{n}": () for r, law in laws.items() if law for n in law.parameters}
        return {"frame": (self.frame.numbers,), "side": (), "half": (), **read}

    @property
    def own_elements(self):
        return [basix.ufl.element("DG", self.cell, 0, shape=(self.frame.size,))]

    @property
    def label(self):
        return f"facets on a guide ({self.frame.label}), {self.cell} of degree {self.degree}"

    def coordinates(self, c):
        """The point's coordinates in the guide, m."""
        i = self.frame.pose(c, c.split(c.q)[1], c.par("frame"))
        e = self.place(c) - i.r
        return ufl.as_vector([ufl.dot(e, i.e(k)) for k in (1, 2, 3)])

    def touch(self, c, s) -> Touch:
        """How a point of the facet at ``s`` lies on the surface."""
        numbers = law_symbols(c, self.surface, "surface")
        return touch(self.surface, numbers, c.par("side"), c.par("half"), s, c.rate(s))

    def traction(self, c, at: Touch):
        """Pressure, and traction on the guide in its axes, N/m^2 of undeformed area."""
        pressure = self.law.pressure(at.depth, at.rate, law_symbols(c, self.law, "law"))
        return pressure, pressure * at.gradient + self.drag(c, at, pressure)

    def drag(self, c, at: Touch, pressure):
        """Friction on the guide, likewise."""
        if self.friction is None:
            return 0 * at.normal
        numbers = law_symbols(c, self.friction, "friction")
        return pressure * sliding_friction(self.friction, at.sliding, numbers)

    def residual(self, c):
        s = self.coordinates(c)
        traction = self.traction(c, self.touch(c, s))[1]
        return c.par("thickness") * ufl.dot(traction, c.along(s)) * c.dx(self.resolution)

    def observables(self, c):
        s = self.coordinates(c)
        at = self.touch(c, s)
        width, d = c.par("thickness"), self.resolution
        pressure, traction = self.traction(c, at)
        drag = traction - pressure * at.gradient
        size = ufl.sqrt(ufl.dot(drag, drag) + NOTHING)
        energy = self.law.energy(at.depth, law_symbols(c, self.law, "law"))
        here = indicator(ufl.gt(at.depth, 0))
        moment = s[0] * pressure

        def over(expression, unit, what, *more):
            return Observable({d: width * expression}, unit, what, *more)

        return {
            "normal_force": over(pressure, "N", "normal contact force"),
            "friction_force": over(size, "N", "sum of the sizes of friction"),
            "moment": over(moment, "N m", "of the pressure about the guide's middle"),
            "area": over(here, "m^2", "in contact"),
            "friction_loss": over(ufl.dot(drag, at.sliding), "W", "power of friction"),
            "contact_energy": over(
                energy, "J", "elastic energy of contacts", "energy.contact", False
            ),
        }

    def recovered(self, c):
        """Contact pressure, Pa."""
        return {"pressure": self.traction(c, self.touch(c, self.coordinates(c)))[0]}
