"""Friction with memory on the facets of a solid: true stick and bristles at each quadrature point.

What a point remembers are three numbers in the axes of the guide: the anchor of the sticking
spring, or the deflection of the bristles. They are numbers of a cell, not unknowns; each step's
form says by an implicit Euler step what they become, in terms of the displacement s - s_n since the
start of the step, so that tangents are consistent and what sticks does not creep, whatever the
integrator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import ufl

from ...core.observables import Observable
from ..forms import across, identity, length, touching
from ..laws.friction import BristleLaw
from ..laws.stick import Sticking, at_start, in_force
from ..placements.touch import Touch
from ..resistance import Sliding, Spring

#: speed in m/s that bristles at rest are still loosened by (with 1e-10 a block creeps 1e-8 m in
#: 100 s)
REST = 1e-13


@dataclass(frozen=True)
class SurfaceStick(Sticking):
    """Coulomb friction of surfaces that really stick, by return mapping at each point; for facets
    of solids (``SurfaceContact``, ``FacetPairContact``, ``GuideContact``).

    While it sticks, a stiff spring and a damper hold a point at an anchor (no creep); beyond
    mu_s x pressure it slips at mu_d x pressure. In ``Statics`` press the surfaces on with mu_s =
    1e-9 first, and push from there.

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction; mu_d: default mu_s.
        stiffness: of what sticks, Pa/m; default: that of the pressure's law. For partial slip
            between two solids twice the modulus over the size of a facet.
        damping: of what sticks, Pa s/m; default: none.

    Raises:
        InputError: a value out of range, mu_s below mu_d.

    See docs/deformable_contact.md. Example::

        fc.SurfaceStick(0.4, 0.3)
    """

    def values(self, stiffness: float) -> dict[str, float]:
        """Numbers of the law; ``stiffness``: of the pressure, Pa/m."""
        return self._values(self.stiffness or stiffness)


@dataclass(frozen=True)
class OnFacets(Sliding):
    """A law of the sliding velocity, on facets.

    Args:
        points, degree: quadrature points of a facet, and the degree of their rule.
    """

    points: int = 1
    degree: int = 8

    #: names of the numbers at each quadrature point
    pointwise: ClassVar[tuple[str, ...]] = ()

    def history(self, points: int) -> dict[str, tuple[int, ...]]:
        """See ``Kind.history``."""
        return {}


@dataclass(frozen=True)
class Remembering(OnFacets):
    """Base: a vector ``kept`` at each quadrature point, in the guide's axes."""

    pointwise: ClassVar[tuple[str, ...]] = ("kept0", "kept1", "kept2")

    def history(self, points):
        return {"area": (points,)}

    @staticmethod
    def kept(c):
        """What the points remember, m."""
        return ufl.as_vector([c.distributed[f"kept{k}"] for k in range(3)])

    def change(self, c, at: Touch, pressure):
        """By how much it changes in the step, m."""
        raise TypeError("friction with memory defines change()")

    def observables(self, c, at, load):
        change, width = self.change(c, at, load), c.par("thickness")
        return {f"moved{k}": self.point(width * change[k], "m^3") for k in range(3)}

    def point(self, expression, unit: str) -> Observable:
        """A number at each quadrature point."""
        return Observable(expression, unit, "", "", False, points=self.degree)

    def at_points(self, kind, observed, name: str, parameters) -> np.ndarray:
        """An observed number at the points of all cells, (cells, points)."""
        values = np.stack([observed[f"{name}.{k}"] for k in range(self.points)], axis=1)
        return values / kind.column(parameters, "area")

    def update(self, kind, parameters, observed):
        for k in range(3):
            moved = self.at_points(kind, observed, f"moved{k}", parameters)
            kind.column(parameters, f"kept{k}")[:] += moved


@dataclass(frozen=True)
class StickOnFacets(Remembering, Spring):
    """True stick: the anchor goes with a point that is free, and follows one that slips."""

    pointwise: ClassVar[tuple[str, ...]] = (*Remembering.pointwise, "mu")

    @property
    def parameters(self):
        return {**super().parameters, "since": ()}

    def anchor(self, c):
        return self.kept(c)

    def coefficient(self, c):
        return c.distributed["mu"]

    def change(self, c, at, pressure):
        m = self.mapped(c, at, pressure)
        held, followed = touching(at.depth), self.after(c, at, m)[0] - self.kept(c)
        return held * m.slips * followed + (1 - held) * (at.place - self.kept(c))

    def observables(self, c, at, load):
        m = self.mapped(c, at, load)
        held, d = c.par("thickness") * touching(at.depth), self.degree
        energy = held * self.after(c, at, m)[1]
        return {
            **super().observables(c, at, load),
            "stuck_area": Observable({d: held * (1 - m.slips)}, "m^2", "that sticks"),
            "sticking_energy": Observable(
                {d: energy}, "J", "energy of sticking springs", "energy.contact", False
            ),
            "slipped": self.point(held * m.slips, "m^2"),
            "time": Observable({d: c.par("thickness") * c.t}, "m^2 s", "", "", False),
        }

    def update(self, kind, parameters, observed):
        super().update(kind, parameters, observed)
        area = kind.column(parameters, "area").sum(axis=1)
        kind.column(parameters, "since")[:] = observed["time"] / area
        slips = self.at_points(kind, observed, "slipped", parameters) > 0.5
        kind.column(parameters, "mu")[:] = in_force(kind, parameters, slips)


def grown(c, law: type[BristleLaw], velocity, old, held, numbers):
    """Deflection of bristles at the end of a step, m, and its rate, m/s.

    Their growth is linear in their deflection, so that its implicit Euler step is solved in closed
    form, z = (z_n + w(z = 0)) / (1 - dw/dz) of the growth w over the step.

    Args:
        velocity: of sliding, m/s, a vector.
        old: deflection at the start, m.
        held: 1 in contact, else 0: they relax.
    """
    speed = length(velocity, REST)
    free = law.growth(velocity, 0 * old, speed, numbers)
    unit = ufl.as_vector([1] + [0] * (len(old) - 1))  # along any direction
    decay = -(law.growth(0 * velocity, unit, speed, numbers))[0]
    fading = held * decay + (1 - held) * numbers.relaxation
    z = (c.per_step * old + held * free) / (c.per_step + fading)
    return z, c.per_step * (z - old)


@dataclass(frozen=True)
class BristlesOnFacets(Remembering):
    """Bristles, see ``grown``."""

    def bristles(self, c, at: Touch):
        """Deflection at the end of the step, m, and its rate, m/s."""
        s, old = at.place, across(self.kept(c), at.normal)
        velocity = across(s - at_start(c, s), at.normal) * c.per_step
        return grown(c, self.law, velocity, old, touching(at.depth), self.numbers(c))

    def force(self, c, at, load, as_symbol=identity):
        z, rate = self.bristles(c, at)
        return load * self.law.drag(z, rate, at.sliding, self.numbers(c))

    def change(self, c, at, pressure):
        return self.bristles(c, at)[0] - self.kept(c)


def resistance_at_points(law: Any, points: int, degree: int) -> OnFacets:
    """How a law acts on facets, by its class."""
    way: type[OnFacets] = OnFacets
    if issubclass(law, BristleLaw):
        way = BristlesOnFacets
    elif issubclass(law, Sticking):
        way = StickOnFacets
    return way(law, 3, points, degree)
