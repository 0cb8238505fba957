"""Thickness of films, its rate and the sliding velocity from the relative motion.

Everything is seen from the housing, whose frame the film's surface lies in. ``e`` is where the
journal's centre is, ``t`` how its axis leans (its direction is (t_1, t_2, 1)), ``V`` de/dt and
``Omega`` the relative angular velocity. Sliding velocities are kept to leading order in
clearance / radius: Reynolds' theory has only some of the next terms, and keeping some costs the
symmetry between journal and housing.

Where flat or round surfaces meet, dry contact can take over: a film then has a transition, with the
distance d of the surfaces and a least thickness b::

    h = d                      d >= b
    h = b/2 (1 + (d/b)^2)      0 < d < b
    h = b/2                    d <= 0

The pressure acts on the bodies with the factor dh/dd: all of it above b, less and less below, none
of it where the surfaces overlap (there nothing is squeezed). So h is positive whatever the load,
and since h has one derivative in Reynolds' equation and in the forces, what the bodies lose is
still what the film dissipates. Between rough surfaces d is the mean thickness of the oil
(asperities.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl
from ufl import as_vector, cross, dot

from ...contact.laws.normal import indicator


def film_transition(distance, least) -> tuple:
    """Thickness of a film with a transition, m, for a distance of the surfaces (of rough ones, the
    mean thickness of the oil), and its derivative by that, the part of the pressure that acts
    (UFL)."""
    d = ufl.variable(distance)
    part = d / least
    between = indicator(ufl.And(ufl.gt(part, 0), ufl.lt(part, 1)))
    above = indicator(ufl.ge(part, 1))
    h = above * d + (1 - above) * least / 2 + between * d**2 / (2 * least)
    return h, ufl.diff(h, d)


def thickness_by_numbers(distance: np.ndarray, least: float) -> np.ndarray:
    """The same as numbers (any shape), m; without a transition if ``least`` is 0."""
    if not least:
        return distance
    part = np.clip(distance / least, 0.0, 1.0)
    return np.where(distance >= least, distance, least / 2 * (1 + part**2))


def _root(x):
    return ufl.sqrt(x) if isinstance(x, ufl.core.expr.Expr) else np.sqrt(x)


@dataclass(frozen=True)
class Gap:
    """Base of the shapes. Places are UFL vectors or, where so stated, NumPy arrays."""

    @staticmethod
    def components(x) -> tuple:
        """Components of the unit normal of the surface, from the journal to the housing; ``x``: UFL
        or an array (3, n)."""
        raise TypeError("a gap defines components()")

    @classmethod
    def normal(cls, x):
        """The unit normal."""
        return as_vector([*cls.components(x)])

    @classmethod
    def closing(cls, x, e, t):
        """By how much the journal's place closes the gap, m; ``x``: UFL or an array (3, n)."""
        raise TypeError("a gap defines closing()")

    @classmethod
    def closing_rate(cls, x, e, t, V, Omega):
        """Its time derivative, linear in V and Omega, m/s."""
        raise TypeError("a gap defines closing_rate()")

    @classmethod
    def sliding(cls, x, V, Omega):
        """Velocity of the journal's surface along the housing's, m/s."""
        U = cross(Omega, x)
        n = cls.normal(x)
        return U - dot(U, n) * n


@dataclass(frozen=True)
class CylinderGap(Gap):
    """A journal in a bore whose axis is the third axis of the housing's frame.

    Example::

        bore = lubrication.cylinder(15e-3, 30e-3, (64, 8))
        lubrication.Film(bore, 50e-6, lubrication.Lubricant(0.04), gap=lubrication.CylinderGap())
    """

    @staticmethod
    def components(x):
        r = _root(x[0] ** 2 + x[1] ** 2)
        return x[0] / r, x[1] / r, 0

    @classmethod
    def closing(cls, x, e, t):
        n, s = cls.components(x), x[2] - e[2]
        return (e[0] + s * t[0]) * n[0] + (e[1] + s * t[1]) * n[1]

    @classmethod
    def closing_rate(cls, x, e, t, V, Omega):
        s = x[2] - e[2]
        turning = cross(Omega, as_vector([t[0], t[1], 1]))
        rate = V + s * turning - V[2] * as_vector([t[0], t[1], 0])
        return dot(rate, cls.normal(x))

    @classmethod
    def sliding(cls, x, V, Omega):
        U = as_vector([0, 0, V[2]]) + cross(Omega, x)
        n = cls.normal(x)
        return U - dot(U, n) * n


@dataclass(frozen=True)
class SphereGap(Gap):
    """A ball in a socket round the origin of the housing's frame.

    Example::

        socket = lubrication.cap(20e-3, np.pi / 2, (8, 8))
        lubrication.Film(socket, 50e-6, lubrication.Lubricant(0.04), pressures={"rim": 0.0},
                         gap=lubrication.SphereGap())
    """

    @staticmethod
    def components(x):
        r = _root(x[0] ** 2 + x[1] ** 2 + x[2] ** 2)
        return x[0] / r, x[1] / r, x[2] / r

    @classmethod
    def closing(cls, x, e, t):
        n = cls.components(x)
        return e[0] * n[0] + e[1] * n[1] + e[2] * n[2]

    @classmethod
    def closing_rate(cls, x, e, t, V, Omega):
        return dot(V, cls.normal(x))


@dataclass(frozen=True)
class FlatGap(Gap):
    """A flat pad in the plane of the first two axes of the housing's frame, above a plane that goes
    by; ``t`` is the lean of the plane's normal. Of ``e`` only the third component counts: the
    approach of the plane along its normal at the frame's origin. ``V`` is the velocity of the
    plane's body there.

    Example::

        pad = lubrication.pad(0.1, 0.06, (32, 8))
        ambient = dict.fromkeys(("x0", "x1", "y0", "y1"), 0.0)
        lubrication.Film(pad, 50e-6, lubrication.Lubricant(0.04), pressures=ambient,
                         gap=lubrication.FlatGap())
    """

    @staticmethod
    def components(x):
        return 0, 0, 1

    @classmethod
    def closing(cls, x, e, t):
        return e[2] - t[0] * x[0] - t[1] * x[1]

    @classmethod
    def closing_rate(cls, x, e, t, V, Omega):
        return dot(V + cross(Omega, x), as_vector([*t, ufl.sqrt(1 - dot(t, t))]))

    @classmethod
    def sliding(cls, x, V, Omega):
        U = V + cross(Omega, x)
        return as_vector([U[0], U[1], 0])
