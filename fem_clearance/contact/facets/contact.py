"""Facets of a solid on a surface of a frame: contact as an integral over the facets."""

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
from ...bodies.given import extremes
from ...bodies.solids.elements import FacetKind
from ...bodies.solids.facets import FacetSet
from ...core.mixins import DistributedParameters, RecoveredFields, UpdatesParameters
from ...core.observables import Observable
from ...errors import InputError
from ...model.frame import FrameKind, RigidFrame
from ...user_code import Law
from ..forms import NOTHING, in_axes, law_symbols, length, touching
from ..guide import Plane
from ..laws.normal import indicator
from ..laws.stick import Sticking
from ..placements.touch import Touch
from ..surfaces.base import Surface
from .friction import resistance_at_points


def facet_size(facets: FacetSet) -> float:
    """Typical length of a facet, m."""
    return _length(facets, facets.area / len(facets.cells))


def smallest_size(facets: FacetSet) -> float:
    """Length of the smallest facet, m."""
    return _length(facets, facets.quadrature()[0].sum(axis=1).min())


def _length(facets: FacetSet, area: float) -> float:
    size = area / facets.solid.thickness  # a length or an area
    return float(np.sqrt(size) if facets.solid.dimension == 3 else size)


def modulus_of(facets: FacetSet) -> float | None:
    """Largest Young's modulus of the facets' solid, Pa; ``None`` without; collective."""
    E = getattr(facets.solid.material, "E", None)
    return None if E is None else float(extremes(E)[1])


@dataclass(frozen=True)
class Winkler(Law):
    """Pressure of a contact by penalty: p = k depth (1 + a rate), not below zero.

    Args:
        stiffness: k, Pa/m; default: ten times the modulus over the size of the smallest facet,
            which leaves at most a tenth of a cell's own deflection as penetration, and is the same
            for all, so that a uniform pressure passes whatever the mesh; of a modulus that varies
            over the solid its largest counts.
        damping: a, s/m; none at zero depth, so that the pressure begins without a jump.

    Raises:
        InputError: a stiffness that is not positive, a negative damping.

    See docs/deformable_contact.md. Example::

        fc.Winkler(stiffness=1e13, damping=2.0)
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
            E = modulus_of(facets)
            if E is None:
                raise InputError(
                    "Winkler needs a stiffness in Pa/m, because the material has no modulus E."
                )
            k = 10 * E / smallest_size(facets)
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


class Pressing:
    """What a point of a facet in contact does, whatever it lies on; part of a kind that has the
    class of a pressure law and its friction."""

    law: Any
    friction: Any
    resistance: Any

    @property
    def sticks(self) -> bool:
        """Whether the friction law is that of true stick."""
        return self.friction is not None and issubclass(self.friction, Sticking)

    def pressure(self, c, at: Touch):
        """Pressure, N/m^2 of undeformed area."""
        return self.law.pressure(at.depth, at.rate, law_symbols(c, self.law, "law"))

    def touches(self, c, at: Touch):
        """1 where the point is in contact, else 0."""
        return touching(at.depth)

    def drag(self, c, at: Touch, pressure):
        """Friction on what lies opposite, in the axes of ``at``, likewise."""
        return self.resistance.force(c, at, pressure) if self.resistance else 0 * at.normal

    def shown(self, c, at: Touch, pressure, drag, over) -> dict[str, Observable]:
        """What is shown of forces and energy; ``over``: makes an integral over the facets."""
        energy = self.law.energy(at.depth, law_symbols(c, self.law, "law"))
        return {
            "normal_force": over(pressure, "N", "normal contact force"),
            "friction_force": over(length(drag, NOTHING**0.5), "N", "sum of the sizes of friction"),
            "area": over(self.touches(c, at), "m^2", "in contact"),
            "friction_loss": over(ufl.dot(drag, at.sliding), "W", "power of friction"),
            "contact_energy": over(
                energy, "J", "elastic energy of contacts", "energy.contact", False
            ),
        }


@dataclass(frozen=True)
class SurfaceContactKind(Pressing, FacetKind, RecoveredFields, DistributedParameters):
    """A facet on a surface, whose frame is its second field.

    Args:
        frame: of the surface.
        law: class of the pressure.
        friction: class of the friction law, or ``None``.
        surface: class of the surface.
        resolution: quadrature degree, which resolves contact on a part of the facet.
        worn: what the facet has lost and how it loses it (wear.py), or ``None``.
    """

    frame: FrameKind = RigidFrame()
    law: Any = Winkler
    friction: Any = None
    surface: type[Surface] = Plane
    resolution: int = 8
    worn: Any = None

    feeds_energy = False

    @cached_property
    def points(self) -> int:
        """Quadrature points of a facet."""
        return len(basix.make_quadrature(basix.CellType[self.cell], self.resolution)[1])

    @cached_property
    def resistance(self):
        """How friction acts; ``None`` without."""
        if self.friction is None:
            return None
        return resistance_at_points(self.friction, self.points, self.resolution)

    @property
    def parts(self) -> tuple[Any, ...]:
        """Friction and wear, as far as there are."""
        return tuple(part for part in (self.resistance, self.worn) if part)

    @property
    def own_parameters(self):
        read = [*self.surface.names(), *(f"law.{n}" for n in self.law.parameters)]
        names = {"frame": (self.frame.numbers,), **dict.fromkeys(read, ())}
        for part in self.parts:
            names |= part.parameters | dict.fromkeys(part.pointwise, (self.points,))
        return names

    @property
    def history(self):  # type: ignore[override]
        names: dict[str, tuple[int, ...]] = {}
        for part in self.parts:
            names |= part.history(self.points)
        return names

    def distributed(self, cell):
        rule = basix.ufl.quadrature_element(cell, degree=self.resolution)
        return {name: rule for part in self.parts for name in part.pointwise}

    @property
    def own_elements(self):
        return [basix.ufl.element("DG", self.cell, 0, shape=(self.frame.size,))]

    @property
    def label(self):
        own = [] if self.surface is Plane else [self.surface.__name__]
        if self.resistance and self.resistance.pointwise:
            own.append(f"friction by {self.friction.__name__}")
        what = "worn facets" if self.worn else "facets"
        cell = f"{self.cell} of degree {self.degree}"
        return ", ".join([f"{what} on {self.surface.where} ({self.frame.label})", cell, *own])

    @property
    def rule(self) -> Any:
        """Quadrature of the contact: a degree, or a degree and the rule's name."""
        return self.resolution

    # --- forms ----------------------------------------------------------------------------------
    def pose(self, c):
        """Pose of the surface's frame."""
        return self.frame.pose(c, c.split(c.q)[1], c.par("frame"))

    def coordinates(self, c):
        """The point's coordinates in the surface's axes, m."""
        i = self.pose(c)
        return in_axes(i, self.place(c) - i.r)

    def touch(self, c) -> Touch:
        """How a point of the facet lies on the surface."""
        s = self.coordinates(c)
        at = self.surface.touch(c, s, c.rate(s))
        return at._replace(depth=self.worn.depth(self, c, at)) if self.worn else at

    def work(self, c, at: Touch):
        """Virtual work per undeformed area times the thickness."""
        pressure = self.pressure(c, at)
        traction = pressure * at.gradient + self.drag(c, at, pressure)
        return c.par("thickness") * ufl.dot(traction, c.along(at.place))

    def residual(self, c):
        return self.work(c, self.touch(c)) * c.dx(self.resolution)

    def observables(self, c):
        at = self.touch(c)
        width, d = c.par("thickness"), self.rule
        pressure = self.pressure(c, at)
        drag = self.drag(c, at, pressure)

        def over(expression, unit, what, *more):
            return Observable({d: width * expression}, unit, what, *more)

        shown = self.shown(c, at, pressure, drag, over)
        traction = pressure * at.gradient + drag
        shown |= self.surface.observables(c, self.pose(c), at, pressure, traction, d)
        for part in self.parts:
            shown |= part.observables(c, at, pressure)
        return shown

    def recovered(self, c):
        """Contact pressure, Pa."""
        return {"pressure": self.pressure(c, self.touch(c))}


@dataclass(frozen=True)
class ChangingSurfaceKind(SurfaceContactKind, UpdatesParameters):
    """The same where friction remembers or the facets wear: numbers change after each step."""

    cellwise: ClassVar[bool] = True

    @property
    def largest_of(self) -> dict[str, str]:  # type: ignore[override]
        """The largest worn depth of a facet is derived from the depths at its points."""
        return self.worn.largest_of if self.worn else {}

    def update(self, parameters, observed):
        for part in self.parts:
            part.update(self, parameters, observed)
