"""The film's cells: Reynolds' equation, and the forces of pressure and shear.

One functional in watts, of the pressure p and of all velocities W (of the journal, of the liner's
surface)::

    L = int p h' - h/2 grad p . U + h^3/(24 mu) |grad p|^2 - mu |U|^2/(2 h) dA

Its derivative by p is Reynolds' equation; its derivative by a velocity is the force that belongs
to it. L is linear and quadratic in p and W: so what the bodies lose is what the film dissipates,
on any mesh.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import basix.ufl
import ufl
from ufl import diff, dot, grad

from ..component import Kind, Observable
from ..contact.normal import indicator
from .cavitation import Cavitation, Full
from .gap import CylinderGap, Gap
from .lubricant import Lubricant


@dataclass(frozen=True)
class FilmKind(Kind):
    """Fields: pressure (and what complements it), the liner's displacement, the port's e, t, W.

    Args:
        shape: of the film.
        lubricant, cavitation: laws.
        liner: degree of the liner's displacement on the film's cells, 0 for a rigid surface.
    """

    cell: str = "quadrilateral"
    geometry_degree: int = 1
    shape: type[Gap] = CylinderGap
    lubricant: type[Lubricant] = Lubricant
    cavitation: type[Cavitation] = Full
    liner: int = 0

    space_dimension = 3
    bulk = True
    #: two points a direction are enough (four times as many move the eccentricity by 1e-6)
    quadrature = 3

    @property
    def parameters(self):  # type: ignore[override]
        law = {f"lubricant.{n}": () for n in self.lubricant.parameters}
        return {"clearance": (), "pressure_unit": (), "rate_unit": (), **law}

    @property
    def label(self):
        return f"film ({self.shape.__name__}, {self.cavitation.__name__})"

    def element(self, cell):
        nodal = basix.ufl.element("Lagrange", cell, 1)
        parts = [nodal, nodal] if self.cavitation.complementary else [nodal]
        if self.liner:
            parts.append(basix.ufl.element("Lagrange", cell, self.liner, shape=(3,)))
        port = [basix.ufl.element("DG", cell, 0, shape=(n,)) for n in (3, 2, 6)]
        return basix.ufl.mixed_element([*parts, *port])

    def _parts(self, c, state):
        """Pressure, complement, liner's displacement (``None`` where there is none), e, t, W."""
        parts = [*c.split(state)]
        e, t, W = parts[-3:]
        complement = parts[1] if self.cavitation.complementary else None
        return parts[0], complement, parts[-4] if self.liner else None, e, t, W

    def thickness(self, c):
        """Film thickness h, m."""
        _, _, u, e, t, _ = self._parts(c, c.q)
        h = c.par("clearance") - self.shape.closing(c.x, e, t)
        return h + dot(u, self.shape.normal(c.x)) if self.liner else h

    def viscosity(self, c):
        numbers = SimpleNamespace(
            **{n: c.par(f"lubricant.{n}") for n in self.lubricant.parameters}
        )
        return self.lubricant.at(self._parts(c, c.q)[0], numbers)

    def _power(self, c, p, slope, W, surface):
        """L per area for given pressure, its gradient, velocities W and of the liner's surface."""
        _, _, _, e, t, _ = self._parts(c, c.q)
        V, Omega = (ufl.as_vector([W[k] for k in range(i, i + 3)]) for i in (0, 3))
        h, mu = self.thickness(c), self.viscosity(c)
        if not self.liner:  # no number where rigid surfaces overlap: the step is rejected
            h = h / indicator(ufl.gt(h, 0))
        rate = -self.shape.closing_rate(c.x, e, t, V, Omega)
        if surface is not None:
            rate += dot(surface, self.shape.normal(c.x))
        U = self.shape.sliding(c.x, V, Omega)
        flow = p * rate - h / 2 * dot(slope, U) + h**3 / (24 * mu) * dot(slope, slope)
        return flow - mu * dot(U, U) / (2 * h)

    def residual(self, c):
        p, r, u, _, _, W = self._parts(c, c.q)
        q, s, w, _, _, dW = self._parts(c, c.test)
        surface = self._parts(c, c.v)[2] if self.liner else None
        P, G, velocity = ufl.variable(p), ufl.variable(grad(p)), ufl.variable(W)
        moving = ufl.variable(surface) if self.liner else None
        L = self._power(c, P, G, velocity, moving)
        form = (diff(L, P) * q + dot(diff(L, G), grad(q))) * c.dx(self.quadrature)
        # forces: of the pressure that acts
        acting = self.cavitation.acting(p)
        acts = self._power(c, acting * p, acting * grad(p), velocity, moving)
        form -= dot(diff(acts, velocity), dW) * c.dx(self.quadrature)
        if self.liner:
            form -= dot(diff(acts, moving), w) * c.dx(self.quadrature)
        if r is not None:
            unit, flow = c.par("pressure_unit"), c.par("rate_unit")
            at_nodes = c.dx(1, "vertex")
            form -= r * q * at_nodes
            form += flow * unit * self.cavitation.function(p / unit, r / flow) * s / flow * at_nodes
        return form

    def observables(self, c):
        p, _, _, _, _, W = self._parts(c, c.q)
        h, mu = self.thickness(c), self.viscosity(c)
        V, Omega = (ufl.as_vector([W[k] for k in range(i, i + 3)]) for i in (0, 3))
        U = self.shape.sliding(c.x, V, Omega)
        lost = h**3 / (12 * mu) * dot(grad(p), grad(p)) + mu * dot(U, U) / h
        return {
            "power_loss": Observable(
                {self.quadrature: lost}, "W", "power the film turns into heat", "power.film"
            )
        }
