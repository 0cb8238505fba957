"""Friction with memory on the facets of a solid: true stick and bristles at each quadrature point.

What a point remembers are three numbers in the axes of the guide: the anchor of the sticking
spring, or the deflection of the bristles. They are numbers of a cell, not unknowns; each step's
form says by an implicit Euler step what they become, in terms of the way s - s_n since the start of
the step, so that tangents are consistent and what sticks does not creep, whatever the integrator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import basix.ufl
import numpy as np
import ufl

from ...core.observables import Observable
from ..forms import across, law_symbols
from ..laws.normal import indicator
from ..laws.stick import Return, Sticking, at_start, in_force, left, returned, stretch
from ..placements.touch import Touch
from .contact import SurfaceContactKind

#: speed in m/s that bristles at rest are still loosened by (with 1e-10 a block creeps 1e-8 m in
#: 100 s)
REST = 1e-13


@dataclass(frozen=True)
class SurfaceStick(Sticking):
    """Coulomb friction of surfaces that really stick, by return mapping at each point; for facets
    of solids (``GuideContact``).

    While it sticks, a stiff spring and a damper hold a point at an anchor (no creep); beyond
    mu_s x pressure it slips at mu_d x pressure.

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction; mu_d: default mu_s.
        stiffness: Pa/m; default: that of the pressure's law.
        damping: Pa s/m.

    Raises:
        InputError: a value out of range, mu_s below mu_d.
    """

    def values(self, stiffness: float) -> dict[str, float]:
        """Numbers of the law; ``stiffness``: of the pressure, Pa/m."""
        return self._values(self.stiffness or stiffness)


@dataclass(frozen=True)
class RememberingFacetKind(SurfaceContactKind):
    """Base: a vector ``kept`` at each quadrature point, in the guide's axes."""

    friction: Any = None

    #: further numbers at each quadrature point
    pointwise: ClassVar[tuple[str, ...]] = ()

    @property
    def fields_at_points(self) -> tuple[str, ...]:
        """Names of the numbers at each quadrature point."""
        return ("kept0", "kept1", "kept2", *self.pointwise)

    @property
    def own_parameters(self):
        return {**super().own_parameters, **dict.fromkeys(self.fields_at_points, (self.points,))}

    @property
    def memory(self):  # type: ignore[override]
        return {"area": (self.points,)}

    @property
    def label(self):
        return f"{super().label}, {self.friction.__name__}"

    def distributed(self, cell):
        rule = basix.ufl.quadrature_element(cell, degree=self.resolution)
        return dict.fromkeys(self.fields_at_points, rule)

    def kept(self, c):
        """What the points remember, m."""
        return ufl.as_vector([c.distributed[f"kept{k}"] for k in range(3)])

    def change(self, c, s, at: Touch, pressure):
        """By how much it changes in the step, m."""
        raise TypeError("a kind with memory defines change()")

    def observables(self, c):
        s = self.coordinates(c)
        at = self.touch(c, s)
        change = self.change(c, s, at, self.traction(c, at)[0])
        moved = {
            f"moved{k}": Observable(
                c.par("thickness") * change[k], "m^3", "", "", False, points=self.resolution
            )
            for k in range(3)
        }
        return {**super().observables(c), **moved}

    def at_points(self, observed, name: str, parameters) -> np.ndarray:
        """An observed number at the points of all cells, (cells, points)."""
        values = np.stack([observed[f"{name}.{k}"] for k in range(self.points)], axis=1)
        return values / self.column(parameters, "area")

    def accept(self, parameters, observed):
        for k in range(3):
            moved = self.at_points(observed, f"moved{k}", parameters)
            self.column(parameters, f"kept{k}")[:] += moved


@dataclass(frozen=True)
class StickingFacetKind(RememberingFacetKind):
    """True stick: the anchor goes with a point that is free, and follows one that slips."""

    pointwise: ClassVar[tuple[str, ...]] = ("mu",)

    @property
    def own_parameters(self):
        return {**super().own_parameters, "since": ()}

    def stuck(self, c, s, at: Touch, pressure) -> Return:
        """Return mapping of the place along the surface."""
        numbers = law_symbols(c, self.friction, "friction")
        slide = across(s - self.kept(c), at.normal)
        return returned(slide, at.sliding, 0 * s, c.distributed["mu"] * pressure, numbers)

    def drag(self, c, at, pressure):
        return self.stuck(c, self.coordinates(c), at, pressure).force

    def change(self, c, s, at, pressure):
        m, numbers = self.stuck(c, s, at, pressure), law_symbols(c, self.friction, "friction")
        before = across(at_start(c, s) - self.kept(c), at.normal)
        held = indicator(ufl.gt(at.depth, 0))
        followed = s - stretch(c, m, before, numbers) - self.kept(c)
        return held * m.slips * followed + (1 - held) * (s - self.kept(c))

    def observables(self, c):
        s = self.coordinates(c)
        at = self.touch(c, s)
        pressure = self.traction(c, at)[0]
        m, numbers = self.stuck(c, s, at, pressure), law_symbols(c, self.friction, "friction")
        held = c.par("thickness") * indicator(ufl.gt(at.depth, 0))
        now, before = (across(z - self.kept(c), at.normal) for z in (s, at_start(c, s)))
        kept = left(c, m, now, before, numbers)
        energy = held * numbers.stiffness * ufl.dot(kept, kept) / 2
        d = self.resolution
        return {
            **super().observables(c),
            "stuck_area": Observable({d: held * (1 - m.slips)}, "m^2", "that sticks"),
            "sticking_energy": Observable(
                {d: energy}, "J", "energy of sticking springs", "energy.contact", False
            ),
            "slipped": Observable(held * m.slips, "m^2", "", "", False, points=d),
            "time": Observable({d: c.par("thickness") * c.t}, "m^2 s", "", "", False),
        }

    def accept(self, parameters, observed):
        super().accept(parameters, observed)
        area = self.column(parameters, "area").sum(axis=1)
        self.column(parameters, "since")[:] = observed["time"] / area
        slips = self.at_points(observed, "slipped", parameters) > 0.5
        self.column(parameters, "mu")[:] = in_force(self, parameters, slips)


@dataclass(frozen=True)
class BristleFacetKind(RememberingFacetKind):
    """Bristles: their growth is linear in their deflection, so that its implicit Euler step is
    solved in closed form, z = (z_n + w(z = 0)) / (1 - dw/dz) of the growth w over the step."""

    def bristles(self, c, at: Touch):
        """Deflection at the end of the step, m, and its rate, m/s."""
        numbers = law_symbols(c, self.friction, "friction")
        s = self.coordinates(c)
        velocity = across(s - at_start(c, s), at.normal) * c.per_step
        speed = ufl.sqrt(ufl.dot(velocity, velocity) + REST**2)
        old = across(self.kept(c), at.normal)
        free = self.friction.growth(velocity, 0 * old, speed, numbers)
        unit = ufl.as_vector([1, 0, 0])  # along any direction
        decay = -(self.friction.growth(0 * velocity, unit, speed, numbers))[0]
        held = indicator(ufl.gt(at.depth, 0))
        pace = held * decay + (1 - held) * numbers.relaxation
        z = (c.per_step * old + held * free) / (c.per_step + pace)
        return z, c.per_step * (z - old)

    def drag(self, c, at, pressure):
        numbers = law_symbols(c, self.friction, "friction")
        z, rate = self.bristles(c, at)
        return pressure * self.friction.drag(z, rate, at.sliding, numbers)

    def change(self, c, s, at, pressure):
        return self.bristles(c, at)[0] - self.kept(c)
