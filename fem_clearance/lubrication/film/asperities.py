"""Rough surfaces: their contact, by Greenwood and Tripp (1971), and the oil between them.

With the distance d of the mean planes, the composite roughness sigma, asperities of a mean radius
beta at their tops, eta of them per area, and the effective modulus E'::

    p = 16 sqrt(2) pi / 15 (sigma beta eta)^2 sqrt(sigma / beta) E' F_{5/2}(d / sigma)
    F_n(x) = 1 / sqrt(2 pi) int_x^inf (s - x)^n exp(-s^2 / 2) ds

The pressure is felt from d = 3 sigma or so on and stays finite where the mean planes meet; beyond,
it grows as |d|^(5/2).

The heights s of both surfaces together are normally distributed, and the gap is d - s where that is
positive. So the oil is on average as thick as::

    h = E max(d - s, 0) = d Phi(d / sigma) + sigma phi(d / sigma),    dh/dd = Phi(d / sigma)

with the normal distribution Phi and its density phi: d itself where nothing touches (from 4 sigma
on within 2e-6), 0.4 sigma where the mean planes meet, and never 0. Phi is the part of the area that
is wetted. Reynolds' equation has this thickness, and so has the shear of the oil.

In the film's functional (kind.py) asperities add p d' - friction p |U|: what belongs to the
velocities of journal and liner is their force on both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import ufl
from scipy.optimize import brentq
from scipy.special import erf
from ufl import dot

from ... import checks
from ...contact.laws.normal import indicator
from ...core.observables import Observable

#: points of the rule for F_n, right to 1e-6 for x from ``DEEP`` up
POINTS = 14
#: below it all asperities touch, and F_n is the moment of a normal distribution, as a series
DEEP = -4.0
#: terms of that series, right to 1e-6
TERMS = 5
#: how deep the valleys are, by the roughness: closer together Newton's method need not look
VALLEYS = 3.0
#: thickness of the oil, by the roughness, at which its film's transition begins (thickness.py): its
#: resistance to flow grows as h^-3, and beyond asperities carry the load
SHALLOW = 0.3
#: numbers of the law that forms read
PARAMETERS = tuple(f"asperities.{n}" for n in ("roughness", "stiffness", "friction", "slip"))


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

    Raises:
        InputError: numbers that are not positive (``friction``: negative).

    See docs/lubricated_joints.md. Example::

        rough = lubrication.Asperities(roughness=0.5e-6, modulus=1.1e11, friction=0.1)
        lubrication.Film(lubrication.cylinder(15e-3, 30e-3, (64, 8)), 50e-6,
                         lubrication.Lubricant(0.04), asperities=rough)
    """

    roughness: float
    modulus: float
    density: float = 0.05
    sharpness: float = 1e-3
    friction: float = 0.0
    slip: float = 1e-3

    def __post_init__(self):
        for name in ("roughness", "modulus", "density", "sharpness", "slip"):
            checks.positive(f"Asperities.{name}", getattr(self, name))
        checks.non_negative("Asperities.friction", self.friction)

    @property
    def valleys(self) -> float:
        """How deep the valleys are, m: three roughnesses."""
        return VALLEYS * self.roughness

    @property
    def stiffness(self) -> float:
        """Pressure by F_{5/2}, Pa."""
        factor = 16 * np.sqrt(2) * np.pi / 15 * self.density**2
        return float(factor * np.sqrt(self.sharpness) * self.modulus)

    def values(self) -> dict[str, float]:
        """Numbers of the law, see ``PARAMETERS``."""
        return {name: float(getattr(self, name.removeprefix("asperities."))) for name in PARAMETERS}

    def pressure(self, distance) -> np.ndarray:
        """Mean pressure at distances of the mean planes (m, any shape), Pa."""
        return self.stiffness * contacts(np.asarray(distance, float) / self.roughness, 2.5, np)

    def oil(self, distance) -> np.ndarray:
        """Mean thickness of the oil at distances of the mean planes (m, any shape), m."""
        return oil(np.asarray(distance, float), self.roughness, np)[0]

    def apart(self, thickness: float) -> float:
        """Distance of the mean planes at which the oil is so thick on average, m."""
        return brentq(lambda d: self.oil(d) - thickness, -8 * self.roughness, thickness)


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


def contacts(x, n: float, maths=ufl):
    """F_n(x), as UFL or numbers (``maths``: the module whose functions fit)."""
    touching = x > DEEP if maths is np else indicator(ufl.gt(x, DEEP))
    some, all_ = touching * x + (1 - touching) * DEEP, touching * DEEP + (1 - touching) * x
    points, weights = rule(n)
    terms = zip(points, weights, strict=True)
    total = sum(float(w) * maths.exp(-float(u) * some) for u, w in terms)
    # mean of (s - x)^n over all s: even moments of s are 1, 1, 3, 15 ...
    series, part = 0.0 * x, 1.0
    for k in range(TERMS):
        series = series + part * all_ ** (-2 * k)
        part *= (n - 2 * k) * (n - 2 * k - 1) / (2 * k + 2)
    deep = (-all_) ** n * series
    return touching * maths.exp(-(some**2) / 2) * total + (1 - touching) * deep


def oil(distance, roughness, maths=ufl) -> tuple:
    """Mean thickness of the oil, m, and its derivative by the distance of the mean planes; as UFL
    or numbers (``maths``: the module whose functions fit)."""
    x = distance / roughness
    wetted = (1 + (erf if maths is np else ufl.erf)(x / np.sqrt(2))) / 2
    return distance * wetted + roughness * maths.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), wetted


def pressure(c, distance):
    """Mean pressure at a distance of the mean planes, Pa (UFL)."""
    x = distance / c.par("asperities.roughness")
    return c.par("asperities.stiffness") * contacts(x, 2.5)


def power(c, distance, rate, U):
    """What asperities add to the film's functional, W/m^2: linear in the rate of the distance
    (m/s), its derivative by the sliding velocity U is their friction."""
    braked = ufl.sqrt(dot(U, U) + c.par("asperities.slip") ** 2)
    return pressure(c, distance) * (rate - c.par("asperities.friction") * braked)


def observables(c, distance, U, degree: int) -> dict[str, Observable]:
    """Channels of the asperities, by quadrature of a degree."""
    p, slip = pressure(c, distance), c.par("asperities.slip")
    friction = c.par("asperities.friction") * dot(U, U) / ufl.sqrt(dot(U, U) + slip**2)
    x = distance / c.par("asperities.roughness")
    stored = c.par("asperities.stiffness") * c.par("asperities.roughness") / 3.5 * contacts(x, 3.5)
    part = {
        "asperity_force": (p, "N", "sum of the asperities' pressure", ""),
        "asperity_friction_loss": (p * friction, "W", "lost to the asperities' friction", ""),
        "asperity_energy": (stored, "J", "elastic energy of the asperities", "energy.contact"),
    }
    return {
        name: Observable({degree: z}, unit, what, total)
        for name, (z, unit, what, total) in part.items()
    }
