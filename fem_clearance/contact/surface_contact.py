"""Facets of a solid on the surface of a guide: contact as an integral over the facets."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import basix.ufl
import numpy as np
import ufl

from .. import checks
from ..bodies.facets import FacetSet
from ..bodies.frame import Frame, FrameKind, RigidFrame
from ..bodies.solid_kinds import FacetKind
from ..component import Observable
from ..errors import InputError
from .clearance import TINY_SPEED, law_symbols, sliding_friction
from .friction import BristleLaw, FrictionLaw
from .guide import Flat, GuideSurface, Touch, touch
from .normal import indicator
from .translational import SIDES, checked_surfaces, guide_numbers, guide_triad


@dataclass(frozen=True)
class Winkler:
    """Pressure of a contact by penalty: p = k depth (1 + a rate), not below zero.

    Args:
        stiffness: k, Pa/m; default: ten times the modulus of a facet's cell over its size, which
            leaves a tenth of that cell's own deflection as penetration.
        damping: a, s/m; none at zero depth, so that the pressure begins without a jump.
    """

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
            size = facets.area / facets.solid.thickness if facets.solid.dimension == 2 else None
            size = size / len(facets.cells) if size else np.sqrt(facets.area / len(facets.cells))
            k = 10 * material.E / size
        return {"k": float(k), "a": float(self.damping)}

    @staticmethod
    def pressure(depth, rate, p: SimpleNamespace):
        """Pa per undeformed area."""
        pressure = p.k * depth * (1 + p.a * rate)
        return indicator(ufl.And(ufl.gt(depth, 0), ufl.gt(pressure, 0))) * pressure

    @staticmethod
    def energy(depth, p: SimpleNamespace):
        """Elastic energy, J/m^2."""
        return indicator(ufl.gt(depth, 0)) * p.k * depth**2 / 2


@dataclass(frozen=True)
class SurfaceContactKind(FacetKind):
    """A facet on one surface of a guide, whose frame is its second field."""

    frame: FrameKind = RigidFrame()
    law: type[Winkler] = Winkler
    friction: type[FrictionLaw] | None = None
    surface: type[GuideSurface] = Flat
    #: quadrature degree, which resolves contact on a part of the facet
    resolution: int = 8

    @property
    def own_parameters(self):
        numbers = {"frame": (self.frame.numbers,)} if self.frame.numbers else {}
        laws = {"law": self.law, "friction": self.friction, "surface": self.surface}
        read = {f"{r}.{n}": () for r, law in laws.items() if law for n in law.parameters}
        return {**numbers, "side": (), "half": (), **read}

    @property
    def own_elements(self):
        return [basix.ufl.element("DG", self.cell, 0, shape=(self.frame.size,))]

    @property
    def label(self):
        return f"facets on a guide ({self.frame.label}), {self.cell} of degree {self.degree}"

    def coordinates(self, c):
        """The point's coordinates in the guide, m."""
        i = self.frame.pose(c, c.split(c.q)[1], c.par("frame") if self.frame.numbers else None)
        e = self.place(c) - i.r
        return ufl.as_vector([ufl.dot(e, i.e(k)) for k in (1, 2, 3)])

    def touch(self, c, s) -> Touch:
        numbers = law_symbols(c, self.surface, "surface")
        return touch(self.surface, numbers, c.par("side"), c.par("half"), s, c.rate(s))

    def traction(self, c, at: Touch):
        """Pressure, and traction on the guide in its axes, N/m^2 of undeformed area."""
        pressure = self.law.pressure(at.depth, at.rate, law_symbols(c, self.law, "law"))
        result = pressure * at.gradient
        if self.friction is not None:
            numbers = law_symbols(c, self.friction, "friction")
            result = result + pressure * sliding_friction(self.friction, at.sliding, numbers)
        return pressure, result

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
        size = ufl.sqrt(ufl.dot(drag, drag) + TINY_SPEED**2) - TINY_SPEED
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


class GuideContact:
    """Facets of a solid that may touch one surface of a guide.

    A slider between two surfaces has two of them, one on each of its faces. The pressure acts on
    the deformed facets and on the guide, which may be flat or shaped, and stand or move.

    Args:
        guide: frame on the guide's middle line (or a body with a triad, or the ground).
        facets: such as ``slider.facets("y1")``.
        axis: along the guide, fixed in the guide's frame; direction at the start.
        across: from the lower to the upper surface.
        side: ``"upper"`` or ``"lower"``.
        gap: distance of the guide's surfaces, m.
        surface: shape of this one; default ``Flat()``.
        law: ``Winkler`` pressure.
        friction: a friction law without memory, or ``None``.
        resolution: quadrature degree on each facet.
        name: for messages and channels.

    Channels: ``normal_force``, ``friction_force`` (N), ``moment`` (N m), ``area`` in contact (m^2),
    ``friction_loss`` (W).

    Raises:
        InputError: no facets, facets outside of the guide, laws that cannot be.
    """

    prefix, label = "guide_contact", "contact with a guide"

    def __init__(
        self, guide, facets, axis=None, across=None, *, side, gap, surface=None, law=None,
        friction=None, resolution=8, name=None,
    ):  # fmt: skip
        self.name = name
        who = name or self.label
        if not isinstance(facets, FacetSet):
            raise InputError(
                f"{who} needs a set of facets such as slider.facets('y1'), got {facets!r}."
            )
        if not len(facets.cells):
            raise InputError(f"{who}: the set of facets {facets.name!r} is empty; mark some.")
        self.facets = facets
        if not isinstance(guide, Frame):
            if not hasattr(guide, "at"):
                raise InputError(f"{who}: guide must be a frame or a body, got {guide!r}.")
            guide = guide.at(facets.solid.position)
        guide.needs_triad(who)
        self.i, self.triad = guide, guide_triad(who, axis, across)
        self.side = checks.choice(f"{who}: side", side, SIDES)
        self.gap = checks.positive(f"{who}: gap", gap)
        shapes = [surface or Flat()] * 2
        self.surface = checked_surfaces(who, shapes, self.gap)[self.side]
        self.law = law or Winkler()
        if not isinstance(self.law, Winkler):
            raise InputError(f"{who}: law must be a pressure such as Winkler(), got {law!r}.")
        if friction is not None and (
            not isinstance(friction, FrictionLaw) or isinstance(friction, BristleLaw)
        ):
            raise InputError(
                f"{who}: friction must be a law without memory such as SmoothCoulomb(0.1), or "
                f"None, got {friction!r}."
            )
        self.friction = friction
        self.resolution = checks.count(f"{who}: resolution", resolution)
        self._check_place(who)

    def _check_place(self, who: str):
        up = SIDES[self.side]
        height = (self.facets.solid.nodes[self.facets.nodes] - self.i.position) @ self.triad[:, 2]
        if np.max(up * height) > self.gap / 2 + self.gap:
            raise InputError(
                f"{who}: the facets {self.facets.name!r} start {np.max(up * height):.4g} m from "
                f"the guide's middle, far behind its {self.side} surface at {self.gap / 2:.4g} m."
            )
        if np.max(up * height) < 0:
            raise InputError(
                f"{who}: the facets {self.facets.name!r} lie on the other side of the guide's "
                f"middle than its {self.side} surface."
            )

    def build(self, system) -> None:
        laws = type(self.law), type(self.friction) if self.friction else None
        kind = SurfaceContactKind(
            **self.facets.kind_arguments, frame=self.i.kind, law=laws[0], friction=laws[1],
            surface=type(self.surface), resolution=self.resolution,
        )  # fmt: skip
        pose = self.i.parameters(self.triad)
        own = guide_numbers(self.surface, SIDES[self.side], self.gap / 2)
        own |= {f"law.{n}": x for n, x in self.law.values(self.facets).items()}
        if self.friction is not None:
            own |= {f"friction.{n}": x for n, x in self.friction.values().items()}
        if len(pose):
            own["frame"] = pose
        # depths are differences of places: these, not those of neighbours, set their round-off
        block = self.facets.solid.block
        assert block is not None
        block.hidden = max(block.hidden, float(np.abs(self.facets.solid.nodes).max()))
        self.facets.add_to(system, self.name, kind, self.i.refs, **own)
        system.connect(self.i.body, self.facets.solid)
