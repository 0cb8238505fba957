"""Closed form of the squeeze film of a ball in a socket: Tian et al. (2009), eqs. (31)-(34).

The film fills the hemisphere about the line of centres that the ball moves towards, with ambient
pressure at its rim; where the ball retreats it does not act (Guembel)::

    F = 6 pi mu R^4 / c^2  deps/dt  B(eps),   eps = e / c
    B = ln(1 - eps) / eps^3 + 1 / (eps^2 (1 - eps)) - 1 / (2 eps) = sum (n + 2)/(n + 3) eps^n
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl

from ... import checks
from ...contact.forms import identity, load_observables
from ...contact.laws.normal import indicator
from ...core.mixins import SmallDistance
from ...core.observables import Observable
from ...model.pair import PairKind
from ..joints.transition import film_share

#: below this ratio the sum is used: the closed form cancels
SMALL = 0.1
#: terms of the sum; SMALL^TERMS is round-off
TERMS = 17
#: distance of the centres, as a part of the clearance, below which the line of centres has no
#: direction and the film resists motion along any
CENTRE = 1e-6
#: speed within which the film takes over from approach to retreat, as a part of the least approach
#: speed of the joint's contact (some mm/s)
SMOOTH = 1e-4


@dataclass(frozen=True)
class SphericalSqueeze:
    """The closed form as the film of a spherical joint; the joint knows radii and clearance.

    Args:
        viscosity: Pa s.
    """

    viscosity: float

    def __post_init__(self):
        checks.viscosity("SphericalSqueeze.viscosity", self.viscosity)

    def force(
        self, radius: float, clearance: float, ratio: float, ratio_rate: float, whole=False
    ) -> float:
        """Size of the force, N; negative where a film that carries tension would pull.

        Args:
            radius: of the socket, m.
            clearance: m.
            ratio, ratio_rate: eps and its rate, 1/s.
            whole: of a film on the whole sphere that carries tension, B(eps) + B(-eps).

        Raises:
            InputError: a ratio below 0, or from 1 on.
        """
        checks.within("SphericalSqueeze: ratio", ratio, 0.0, 1.0 - 1e-15)
        size = 6 * np.pi * self.viscosity * radius**4 / clearance**2
        sides = (ratio, -ratio) if whole else (ratio,)
        return float(size * ratio_rate * sum(bracket(ufl.as_ufl(z))(()) for z in sides))


def bracket(ratio):
    """B(eps) for -1 < eps < 1 (UFL)."""
    small, large = ufl.lt(abs(ratio), SMALL), ufl.ge(abs(ratio), SMALL)
    low = indicator(small) * ratio
    high = indicator(small) * SMALL + indicator(large) * ratio
    *terms, total = ((n + 2) / (n + 3) for n in range(TERMS))
    for term in reversed(terms):
        total = total * low + term
    closed = ufl.ln(1 - high) / high**3 + 1 / (high**2 * (1 - high)) - 1 / (2 * high)
    return indicator(small) * total + indicator(large) * closed


def approaching(speed, floor):
    """The speed of an approach, 0 of a retreat; smooth within ``SMOOTH`` times the ``floor`` (m/s)
    of rest, and never driving the motion. With a corner there Newton's method cannot settle where a
    pressed joint rests."""
    return speed * (1 + speed / ufl.sqrt(speed**2 + (SMOOTH * floor) ** 2)) / 2


@dataclass(frozen=True)
class SphericalSqueezeKind(PairKind, SmallDistance):
    """Frame i is the socket, frame j the ball; positions are all the film needs.

    ``clearance`` is that of the film, ``depth`` of the dry contact counts from ``start``; ``floor``
    is the contact's least approach speed.
    """

    feeds_energy = False

    @property
    def own_parameters(self):
        return {"coefficient": (), "clearance": (), "start": (), "band": (), "floor": ()}

    @property
    def label(self):
        return f"spherical squeeze film ({self.i.label}, {self.j.label})"

    def _load(self, c, e, velocity, as_symbol=identity):
        """Force on the ball, N, as far as it acts; ``as_symbol``: ``c.shared`` in a residual."""
        clearance, start, band = (c.par(n) for n in ("clearance", "start", "band"))
        nothing = (CENTRE * clearance) ** 2
        square = ufl.dot(e, e) + nothing
        distance = ufl.sqrt(square)
        inside = indicator(ufl.lt(distance, start + band))
        # beyond the band nothing is left of the film, but its formula must be a number
        ratio = (inside * distance + (1 - inside) * start) / clearance
        acts = film_share(distance - start, band)
        size = as_symbol(ufl.as_vector([-acts * c.par("coefficient") * bracket(ratio)]))[0]
        speed = ufl.dot(e, velocity) / ufl.sqrt(square)
        along = approaching(speed, c.par("floor")) / ufl.sqrt(square) * e
        return size * (along + nothing / square * velocity)

    def _motion(self, c):
        i, j = self.poses(c)
        e = j.r - i.r
        return e, c.rate(e)

    def residual(self, c):
        e, velocity = self._motion(c)
        load = c.shared(self._load(c, c.shared(e), c.shared(velocity), c.shared))
        return -ufl.dot(load, c.along(e)) * c.dx()

    def observables(self, c):
        e, velocity = self._motion(c)
        load = self._load(c, e, velocity)
        size, lost = ufl.sqrt(ufl.dot(load, load)), c.taken(self.residual(c))
        return {
            "normal_force": Observable(size, "N", "force of film and dry contact"),
            "film_force": Observable(size, "N", "force of the film"),
            "power_loss": Observable(lost, "W", "power the film turns into heat", "power.film"),
            **load_observables(load, 0 * load, "ball", "about its centre"),
            "film_power": Observable(lost, "W", "lost by the bodies", "power.to_films", False),
        }
