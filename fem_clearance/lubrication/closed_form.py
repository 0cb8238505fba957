"""Closed forms of journal bearings: infinitely short (Ocvirk) and infinitely long (Sommerfeld).

Both give the force on the journal for any place of its centre, the axes parallel, from the film
thickness h = c - e . n::

    d_i (h^3 / (12 mu) d_i p) = omega/2 dh/dphi + dh/dt

with the derivatives on the left along the axis only (short) or round the bearing only (long).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import checks
from ..errors import InputError
from .bearing import Place
from .cavitation import Cavitation, Full, Guembel

#: points of Gauss's rule on half a turn; eccentricity ratios to .99 keep ten digits
POINTS = 400


@dataclass(frozen=True)
class ClosedForm:
    """Base of the closed forms.

    Args:
        radius, length, clearance: m.
        viscosity: Pa s.
        cavitation: ``Full()`` or ``Guembel()``.
    """

    radius: float
    length: float
    clearance: float
    viscosity: float
    cavitation: Cavitation = Guembel()

    def __post_init__(self):
        for name in ("radius", "length", "clearance", "viscosity"):
            checks.positive(f"{type(self).__name__}.{name}", getattr(self, name))
        if type(self.cavitation) not in (Full, Guembel):
            raise InputError(
                f"{type(self).__name__} knows Full() and Guembel(), got {self.cavitation!r}."
            )

    def force(self, place: Place) -> np.ndarray:
        """Force on the journal, N, (3,).

        Raises:
            InputError: the surfaces touch, the axes are not parallel.
        """
        e, V = (np.array(z[:2], float) for z in (place.e, place.V))
        if np.any(place.t) or np.any(place.Omega[:2]):
            raise InputError(f"{type(self).__name__} needs parallel axes.")
        if np.hypot(*e) >= self.clearance:
            raise InputError(
                f"{type(self).__name__}: the journal touches the bearing, eccentricity "
                f"{np.hypot(*e):g} m of {self.clearance:g} m."
            )
        return np.append(self._force(e, V, float(place.Omega[2])), 0.0)

    def _force(self, e, V, omega) -> np.ndarray:
        raise TypeError("a closed form defines _force()")


class ShortBearing(ClosedForm):
    """Ocvirk (1952): pressure flows along the axis only, parabolic there; integrals round the
    bearing by Gauss's rule. With Guembel's condition half the bearing bears: where h closes."""

    def _force(self, e, V, omega):
        # omega dh/dphi + 2 dh/dt = a cos(phi) + b sin(phi), negative where the film bears
        a, b = -omega * e[1] - 2 * V[0], omega * e[0] - 2 * V[1]
        middle = np.arctan2(-b, -a)
        x, weights = np.polynomial.legendre.leggauss(POINTS)
        halves = [middle] if isinstance(self.cavitation, Guembel) else [middle, middle + np.pi]
        total = np.zeros(2)
        for centre in halves:
            phi = centre + np.pi / 2 * x
            n = np.stack([np.cos(phi), np.sin(phi)])
            rate = a * n[0] + b * n[1]
            total += np.pi / 2 * n @ (weights * rate / (self.clearance - e @ n) ** 3)
        return self.viscosity * self.radius * self.length**3 / 2 * total


class LongBearing(ClosedForm):
    """Sommerfeld (1904): pressure flows round the bearing only; eq. (14) of Ebrahimi et al. (2017)
    for a journal that moves along the line of centres.

    Guembel's condition (half Sommerfeld) takes the half turn before the smallest gap, which is
    right for a journal whose centre rests.
    """

    def _force(self, e, V, omega):
        mu, R, c = self.viscosity, self.radius, self.clearance
        unit = 12 * np.pi * mu * R**3 * self.length / c**3
        square = e @ e / c**2
        root = np.sqrt(1 - square)
        ahead = np.array([-e[1], e[0]])
        wedge = omega * ahead / ((2 + square) * root)
        if isinstance(self.cavitation, Full):
            squeeze = 2 * V / ((2 + square) * root)
            squeeze += 3 * (V @ e) * e / c**2 / ((2 + square) * root**3)
            return unit * (wedge - squeeze)
        if np.any(V):
            raise InputError(
                "LongBearing with Guembel's condition needs a journal whose centre rests."
            )
        inward = abs(omega) * np.sqrt(square) * e / ((2 + square) * (1 - square))
        return unit * (wedge / 2 - inward / np.pi)
