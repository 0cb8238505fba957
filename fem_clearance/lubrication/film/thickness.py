"""Shapes of films: thickness, its rate and the sliding velocity from the relative motion.

Everything is seen from the housing, whose frame the film's surface lies in. ``e`` is where the
journal's centre is, ``t`` how its axis leans (its direction is (t_1, t_2, 1)), ``V`` de/dt and
``Omega`` the relative angular velocity. Sliding velocities are kept to leading order in
clearance / radius: Reynolds' theory has only some of the next terms, and keeping some costs the
symmetry between journal and housing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl
from ufl import as_vector, cross, dot


@dataclass(frozen=True)
class Gap:
    """Base of the shapes."""

    @staticmethod
    def normal(x):
        """Unit normal of the surface, from the journal to the housing."""
        raise TypeError("a gap defines normal()")

    @classmethod
    def closing(cls, x, e, t):
        """By how much the journal's place closes the gap, m."""
        raise TypeError("a gap defines closing()")

    @staticmethod
    def closing_at(points: np.ndarray, e, t) -> np.ndarray:
        """The same number by number: ``closing`` at points (n, 3), m."""
        raise TypeError("a gap defines closing_at()")

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
    """A journal in a bore whose axis is the third axis of the housing's frame."""

    @staticmethod
    def normal(x):
        r = ufl.sqrt(x[0] ** 2 + x[1] ** 2)
        return as_vector([x[0] / r, x[1] / r, 0])

    @classmethod
    def closing(cls, x, e, t):
        s = x[2] - e[2]
        return dot(as_vector([e[0] + s * t[0], e[1] + s * t[1], 0]), cls.normal(x))

    @staticmethod
    def closing_at(points, e, t):
        n = points[:, :2] / np.linalg.norm(points[:, :2], axis=1, keepdims=True)
        place = np.add(e[:2], np.outer(points[:, 2] - e[2], t))
        return np.sum(place * n, axis=1)

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
    """A ball in a socket round the origin of the housing's frame."""

    @staticmethod
    def normal(x):
        return x / ufl.sqrt(dot(x, x))

    @classmethod
    def closing(cls, x, e, t):
        return dot(e, cls.normal(x))

    @staticmethod
    def closing_at(points, e, t):
        return points @ np.asarray(e) / np.linalg.norm(points, axis=1)

    @classmethod
    def closing_rate(cls, x, e, t, V, Omega):
        return dot(V, cls.normal(x))


@dataclass(frozen=True)
class FlatGap(Gap):
    """A flat pad in the plane of the first two axes of the housing's frame, above a plane that goes
    by; ``t`` is the lean of the plane's normal. Of ``e`` only the third counts: how far the plane
    has come nearer, along its normal, at the frame's origin. ``V`` is the velocity of the plane's
    body there."""

    @staticmethod
    def normal(x):
        return as_vector([0, 0, 1])

    @classmethod
    def closing(cls, x, e, t):
        return e[2] - t[0] * x[0] - t[1] * x[1]

    @staticmethod
    def closing_at(points, e, t):
        return e[2] - points[:, :2] @ np.asarray(t)

    @classmethod
    def closing_rate(cls, x, e, t, V, Omega):
        return dot(V + cross(Omega, x), as_vector([*t, ufl.sqrt(1 - dot(t, t))]))

    @classmethod
    def sliding(cls, x, V, Omega):
        U = V + cross(Omega, x)
        return as_vector([U[0], U[1], 0])
