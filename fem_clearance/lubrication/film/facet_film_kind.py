"""Films between facets of an elastic slider and a surface of its guide.

The same functional as that of other films (kind.py), of what the facets' own motion says: with a
point's coordinates s in the guide (contact/placements/guide.py) the distance of the surfaces is
-depth, its rate follows from ds/dt, and the sliding velocity is carried back to the undeformed
facet, U = -(ds/dX)^T v, to first order in strains. What belongs to ds/dt is the film's force, which
reaches the facet's nodes and the guide as one virtual work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix.ufl
import ufl
from ufl import diff, dot, grad

from ...contact.facets.contact import SurfaceContactKind
from ...contact.forms import in_space, law_symbols
from ...core.observables import Observable
from .cavitation import Cavitation, Full
from .energy import EnergyEquation
from .functional import driven, flows, functional, passing
from .kind import VERTICES, complemented
from .lubricant import Lubricant
from .thickness import film_transition


@dataclass(frozen=True)
class FacetFilmKind(SurfaceContactKind):
    """A facet's film on one surface of a guide: fields are the facet's displacement, the guide's
    frame, the pressure, and what complements it."""

    feeds_energy = False

    lubricant: type[Lubricant] = Lubricant
    cavitation: type[Cavitation] = Full
    resolution: int = 5

    @property
    def own_parameters(self):
        numbers = {"frame": (self.frame.numbers,)} if self.frame.numbers else {}
        laws: dict[str, Any] = {"lubricant": self.lubricant, "surface": self.surface}
        read = {f"{r}.{n}": () for r, law in laws.items() for n in law.parameters}
        own = dict.fromkeys(("side", "half", "least", "pressure_unit", "rate_unit", "size"), ())
        return {**numbers, **own, **read}

    @property
    def own_elements(self):
        nodal = basix.ufl.element("Lagrange", self.cell, 1)
        return [*super().own_elements, *[nodal] * (1 + self.cavitation.complementary)]

    @property
    def label(self):
        return f"film on facets ({self.frame.label}, {self.cavitation.__name__})"

    def pressures(self, c, state):
        """Pressure and its complement (or ``None``); of ``c.test`` their test functions."""
        parts = c.split(state)
        return parts[2], parts[3] if self.cavitation.complementary else None

    def motion(self, c):
        """Coordinates in the guide and their rate (a UFL variable); thickness, its rate, distance
        and sliding velocity along the facet."""
        s = self.coordinates(c)
        moving = ufl.variable(c.rate(s))
        at = self.surface.touch(c, s, moving)
        distance = -at.depth
        h, opening = film_transition(distance, c.par("least"))
        # UFL's gradient of a place has a part across the facet, which does not turn with it
        along = ufl.Jacobian(c.mesh) * ufl.JacobianInverse(c.mesh)
        U = -dot(dot(at.sliding, grad(s)), along)
        return s, moving, h, -at.rate * opening, distance, U

    def viscosity(self, c):
        """Viscosity at the pressure, Pa s."""
        numbers = law_symbols(c, self.lubricant, "lubricant")
        return self.lubricant.at(self.pressures(c, c.q)[0], numbers)

    def force(self, c):
        """Force on the facet in the guide's axes per undeformed area, Pa, and the place s there."""
        s, moving, h, rate, _, U = self.motion(c)
        p, _ = self.pressures(c, c.q)
        acting = self.cavitation.acting(p)
        passed = passing(h, self.viscosity(c))
        L = functional(acting * p, acting * grad(p), passed, rate, U)
        return diff(L, moving), s

    def _loads(self, c):
        """Virtual work of the film on facet and guide."""
        force, s = self.force(c)
        return -c.par("thickness") * dot(force, c.along(s)) * c.dx(self.resolution)

    def residual(self, c):
        (p, r), (q, w) = (self.pressures(c, z) for z in (c.q, c.test))
        width, dx = c.par("thickness"), c.dx(self.resolution)
        _, _, h, rate, _, U = self.motion(c)
        passed = passing(h, self.viscosity(c))
        taken_up, flow = flows(p, lambda P, G: functional(P, G, passed, rate, U))
        form = width * (taken_up * q + dot(flow, grad(q))) * dx
        form += self._loads(c)
        if r is not None:
            complement = complemented(c, self.cavitation, (p, r), (q, w))
            form += width * complement * c.dx(*VERTICES)
        return form

    def observables(self, c):
        width, d = c.par("thickness"), self.resolution
        force, _ = self.force(c)
        distance = self.motion(c)[4]
        guide = self.frame.pose(c, c.split(c.q)[1], c.par("frame"))
        on_solid = in_space(guide, force)
        # nothing feeds it, the rim being at ambient pressure: what the bodies lose is heat
        lost = c.taken(self._loads(c))

        def over(expression, unit, what, *more):
            return Observable({d: width * expression}, unit, what, *more)

        return {
            "normal_force": over(-c.par("side") * force[2], "N", "force across the guide"),
            **{
                f"force.{x}": over(on_solid[k], "N", f"{x} of the force on the slider")
                for k, x in enumerate("xyz")
            },
            "power_loss": Observable(lost, "W", "power the film turns into heat", "power.film"),
            "film_power": Observable(
                lost, "W", "power that the bodies lose to the film", "power.to_films", False
            ),
            "min_film": Observable(
                {d: distance / c.par("size")}, "m", "least of the facets' mean distances",
                least=True,
            ),
        }  # fmt: skip

    def recovered(self, c):
        """Pressure of the film, Pa."""
        return {"pressure": self.pressures(c, c.q)[0]}


@dataclass(frozen=True)
class WarmFacetFilmKind(EnergyEquation, FacetFilmKind):
    """The same with the rise of the temperature above that of the supply, K, as a further unknown
    after the pressure and its complement."""

    feeds_energy = False

    @property
    def own_elements(self):
        return [*super().own_elements, *self._warmths(self.cell)]

    @property
    def _warm(self) -> int:
        return 3 + self.cavitation.complementary

    @property
    def quadrature(self):  # type: ignore[override]
        return self.resolution

    def _pressed(self, c):
        return self.pressures(c, c.q)

    def thickness(self, c, state=None):
        """Film thickness, m."""
        return self.motion(c)[2]

    def packing(self, c, state=None):
        """Density of the oil by the reference density."""
        return 1.0

    def _oil(self, c):
        _, _, h, _, _, U = self.motion(c)
        slope = grad(self.pressures(c, c.q)[0])
        drawn, conducts, shear = passing(h, self.viscosity(c))
        heat = shear * dot(U, U) + driven(conducts, slope, slope)
        return drawn * U - conducts * slope, heat

    def recovered(self, c):
        """Pressure of the film, Pa, and its temperature, K."""
        rise = self.rise(c, c.q)
        return super().recovered(c) | {"temperature": c.par("thermal.supply") + rise}
