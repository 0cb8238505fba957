"""What rough surfaces bear where they nearly touch: Greenwood and Tripp (1971), beside the film.

With the distance h of the mean planes, the composite roughness sigma, asperities of a mean radius
beta at their tops, eta of them per area, and the effective modulus E'::

    p = 16 sqrt(2) pi / 15 (sigma beta eta)^2 sqrt(sigma / beta) E' F_{5/2}(h / sigma)
    F_n(x) = 1 / sqrt(2 pi) int_x^inf (s - x)^n exp(-s^2 / 2) ds

The pressure is felt from h = 3 sigma or so on and stays finite where the mean planes meet; beyond,
it grows as |h|^(5/2). The oil flows on in the valleys: its film is computed for a clearance larger
by ``valleys``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import basix.ufl
import numpy as np
import ufl
from ufl import as_vector, diff, dot

from .. import checks
from ..component import Cell, Kind, Observable
from .film import Film
from .gap import CylinderGap, Gap

#: points of the rule for F_n: right to 1e-6 for x from -3 up
POINTS = 10


@dataclass(frozen=True)
class Asperities:
    """Rough surfaces, elastic.

    Args:
        roughness: sigma, composite (root of the sum of both squares), m.
        modulus: E' = E*, 1 / ((1 - nu_1^2) / E_1 + (1 - nu_2^2) / E_2), Pa.
        density: sigma beta eta, about 0.03 to 0.05.
        sharpness: sigma / beta, about 1e-4 to 1e-2.
        friction: coefficient of boundary friction.
        slip: sliding speed at which that has reached 0.7 of its value, m/s.
        valley_depth: by which the oil is thicker than the surfaces' distance, in roughnesses.
    """

    roughness: float
    modulus: float
    density: float = 0.05
    sharpness: float = 1e-3
    friction: float = 0.0
    slip: float = 1e-3
    valley_depth: float = 3.0

    def __post_init__(self):
        for name in ("roughness", "modulus", "density", "sharpness", "slip", "valley_depth"):
            checks.positive(f"Asperities.{name}", getattr(self, name))
        checks.non_negative("Asperities.friction", self.friction)

    @property
    def valleys(self) -> float:
        """By which the film of oil is thicker, m."""
        return self.valley_depth * self.roughness

    @property
    def stiffness(self) -> float:
        """Pressure by F_{5/2}, Pa."""
        factor = 16 * np.sqrt(2) * np.pi / 15 * self.density**2
        return float(factor * np.sqrt(self.sharpness) * self.modulus)

    def pressure(self, distance: float) -> float:
        """Mean pressure at a distance of the mean planes, Pa."""
        x = ufl.as_ufl(float(distance) / self.roughness)
        return self.stiffness * float(ufl.as_ufl(contacts(x, 2.5))(()))


@cache
def rule(n: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's points and weights for int_0^inf u^n exp(-u^2/2) f(u) du / sqrt(2 pi)."""
    # a fine rule stands for the integral in Stieltjes' recurrences
    x, w = np.polynomial.legendre.leggauss(400)
    u = 8.0 * (1 + x) / 2  # beyond 8 + n the weight is round-off
    u, w = u**2 / 4, w * 4.0 * u / 2  # graded towards zero
    w = w * u**n * np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi)
    a, b = np.zeros((2, POINTS))
    last, now = np.zeros_like(u), np.ones_like(u)
    norm = w.sum()
    for k in range(POINTS):
        size = w @ now**2
        a[k], b[k] = w @ (u * now**2) / size, size / norm
        last, now, norm = now, (u - a[k]) * now - b[k] * last, size
    whole, b[0] = w.sum(), 0.0
    points, vectors = np.linalg.eigh(
        np.diag(a) + np.diag(np.sqrt(b[1:]), 1) + np.diag(np.sqrt(b[1:]), -1)
    )
    return points, whole * vectors[0] ** 2


def contacts(x, n: float):
    """F_n(x), as UFL."""
    points, weights = rule(n)
    total = sum(float(w) * ufl.exp(-float(u) * x) for u, w in zip(points, weights, strict=True))
    return ufl.exp(-(x**2) / 2) * total


@dataclass(frozen=True)
class AsperityKind(Kind):
    """Pressure and boundary friction of the asperities on the film's cells; fields are those of the
    film's port."""

    cell: str = "quadrilateral"
    geometry_degree: int = 1
    shape: type[Gap] = CylinderGap

    space_dimension = 3
    #: contact may be narrow: more points than the film has
    quadrature = 5

    parameters = dict.fromkeys(("clearance", "roughness", "stiffness", "friction", "slip"), ())

    @property
    def label(self):
        return "asperities"

    def element(self, cell):
        return basix.ufl.mixed_element(
            [basix.ufl.element("DG", cell, 0, shape=(n,)) for n in (3, 2, 6)]
        )

    def _read(self, c):
        """Distance by the roughness, pressure, and W."""
        e, t, W = c.split(c.q)
        x = (c.par("clearance") - self.shape.closing(c.x, e, t)) / c.par("roughness")
        return x, c.par("stiffness") * contacts(x, 2.5), W

    def _sliding(self, c, W):
        V, Omega = (as_vector([W[k] for k in range(i, i + 3)]) for i in (0, 3))
        return V, Omega, self.shape.sliding(c.x, V, Omega)

    def _force(self, c):
        """Force and moment on the journal per area: what belongs to W."""
        _, p, W = self._read(c)
        e, t, _ = c.split(c.q)
        W = ufl.variable(W)
        V, Omega, U = self._sliding(c, W)
        rate = -self.shape.closing_rate(c.x, e, t, V, Omega)
        braked = ufl.sqrt(dot(U, U) + c.par("slip") ** 2)
        return diff(p * (rate - c.par("friction") * braked), W)

    def residual(self, c):
        return -dot(self._force(c), c.split(c.test)[2]) * c.dx(self.quadrature)

    def observables(self, c):
        x, p, W = self._read(c)
        _, _, U = self._sliding(c, W)
        friction = c.par("friction") * dot(U, U) / ufl.sqrt(dot(U, U) + c.par("slip") ** 2)
        stored = c.par("stiffness") * c.par("roughness") / 3.5 * contacts(x, 3.5)
        part = {
            "asperity_force": (p, "N", "sum of the asperities' pressure", ""),
            "asperity_friction_power": (p * friction, "W", "lost to the asperities' friction", ""),
            "asperity_energy": (stored, "J", "elastic energy of the asperities", "energy.contact"),
        }
        return {
            name: Observable({self.quadrature: z}, unit, what, total)
            for name, (z, unit, what, total) in part.items()
        }


def add_asperities(system, name: str, law: Asperities, film: Film, port) -> None:
    """Register asperities on the surface of a film.

    Args:
        system: to add to.
        name: prefix of channels.
        law: the surfaces.
        film: whose surface and clearance count.
        port: unknowns e, t and W of the film's port.
    """
    surface = film.surface
    kind = AsperityKind(geometry_degree=surface.degree, shape=type(film.gap))
    parameters = kind.pack(
        clearance=film.clearance, roughness=law.roughness, stiffness=law.stiffness,
        friction=law.friction, slip=law.slip,
    )  # fmt: skip
    cell = Cell(
        name, port, parameters, geometry=surface.points[surface.cells], count=len(surface.cells)
    )
    system.add_cell(kind, cell)
