"""Closed forms of journal bearings: infinitely short (Ocvirk) and infinitely long (Sommerfeld).

Both give the force on the journal for any place of its centre, the axes parallel, from the film
thickness h = c - e . n::

    d_i (h^3 / (12 mu) d_i p) = omega/2 dh/dphi + dh/dt

with the derivatives on the left along the axis only (short) or round the bearing only (long). Only
v = de/dt - omega/2 z x e matters, the velocity seen in axes that turn with half the journal's spin:
the right-hand side is -v . n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import ufl

from ... import checks, deprecated
from ...contact.forms import TINY_LENGTH
from ...contact.laws.normal import indicator
from ...core.blocks import Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...errors import InputError
from ..bearings.place import Place
from ..film.cavitation import Cavitation, Full, Guembel
from ..film.dimensions import check_journal
from ..film.lubricant import FilmUnits
from ..film.thickness import film_transition

#: speed, as a part of the clearance a second, below which v has no direction, in any units of time
TINY = 1e-30


@deprecated.arguments(speed="sliding_speed")
@dataclass(frozen=True)
class ClosedForm(FilmUnits):
    """Base of the closed forms, which stand in for a ``Film`` in ``CylindricalFilm``.

    Args:
        radius, length, clearance: m.
        viscosity: Pa s.
        cavitation: ``Full()`` or ``Guembel()``.
        sliding_speed: typical sliding speed, m/s, by which unknowns of a running system are scaled.
        least: m, thickness at which the film's transition begins in a running system, so that the
            surfaces may overlap where dry contact takes over; 0: none, no film can be without
            thickness.

    Raises:
        InputError: a clearance as large as the radius, another model of cavitation.
    """

    radius: float
    length: float
    clearance: float
    viscosity: float
    cavitation: Cavitation = Guembel()
    sliding_speed: float = 1.0
    least: float = 0.0

    def __post_init__(self):
        checks.non_negative(f"{type(self).__name__}.least", self.least)
        for name in ("radius", "length", "clearance", "sliding_speed"):
            checks.positive(f"{type(self).__name__}.{name}", getattr(self, name))
        checks.viscosity(f"{type(self).__name__}.viscosity", self.viscosity)
        check_journal(type(self).__name__, self.clearance, self.radius)
        if type(self.cavitation) not in (Full, Guembel):
            raise InputError(
                f"{type(self).__name__} knows Full() and Guembel(), got {self.cavitation!r}."
            )

    @property
    def moving(self) -> bool:
        """Whether the law holds for journals whose centre moves."""
        return True

    @staticmethod
    def unit(radius, length, clearance, viscosity):
        """What the dimensionless force is multiplied by, N s."""
        raise TypeError("a closed form defines unit()")

    @staticmethod
    def law(eps, v, omega, cavitation: type[Cavitation], maths=ufl) -> tuple[Any, Any]:
        """Dimensionless force on the journal.

        Args:
            eps: place of the journal's centre / clearance, two scalars (UFL, or numbers).
            v: its velocity in the half turning axes / clearance, likewise, 1/s.
            omega: spin of the journal, rad/s.
            cavitation: model.
            maths: module whose functions fit the scalars.
        """
        raise TypeError("a closed form defines law()")

    @classmethod
    def acting(cls, e, V, omega, numbers, cavitation, maths=ufl, share=1.0) -> list:
        """Force along both axes (N) and moment about the journal's centre (N m).

        The moment is that of shear, -mu R^3 L omega 2 pi / sqrt(c^2 - e^2), and of the pressure's
        gradient, half of that of the force about the bearing's centre: so what the bodies lose is
        what the film dissipates.

        Args:
            e, V, omega: motion, m, m/s, rad/s.
            numbers: radius, length, clearance, viscosity.
            cavitation: model.
            maths: see ``law``.
            share: part of the pressure's force that acts.
        """
        R, L, c, mu = numbers
        eps = [z / c for z in e]
        v = [(V[0] + omega / 2 * e[1]) / c, (V[1] - omega / 2 * e[0]) / c]
        unit = share * cls.unit(R, L, c, mu)
        x, y = (unit * f for f in cls.law(eps, v, omega, cavitation, maths))
        drag = 2 * np.pi * mu * R**3 * L * omega / (c * _root(eps, maths))
        return [x, y, -(e[0] * y - e[1] * x) / 2 - drag]

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Radius, length, clearance, viscosity."""
        return self.radius, self.length, self.clearance, self.viscosity

    # --- what a port asks of a film ---------------------------------------------------------------
    #: its surfaces are smooth, see ``Film.valleys``
    valleys: ClassVar[float] = 0.0

    @property
    def extent(self) -> tuple[float, float]:
        """Where the film begins and ends along its axis, m."""
        return -self.length / 2, self.length / 2

    @property
    def area(self) -> float:
        """Of the bearing, m^2."""
        return 2 * np.pi * self.radius * self.length

    def thickness(self, e, t) -> np.ndarray:
        """Least thickness for a place of the journal, m, (1,)."""
        return np.array([self.clearance - np.hypot(e[0], e[1])])

    def build(self, builder, name: str, port: list[Ref]) -> None:
        """Register the film's cell.

        Args:
            builder: to add to.
            name: prefix of names and channels.
            port: unknowns e, t and W.
        """
        kind = ClosedLawKind(type(self), type(self.cavitation), transition=self.least > 0)
        R, L, c, mu = self.numbers
        least = {"least": self.least} if self.least else {}
        parameters = kind.pack(radius=R, length=L, clearance=c, viscosity=mu, **least)
        builder.add_cell(kind, Cell(name, port, parameters))

    def force(self, place: Place) -> np.ndarray:
        """Force on the journal, N, (3,).

        Raises:
            InputError: the surfaces touch, the axes are not parallel.
        """
        return np.append(self._evaluated(place)[:2], 0.0)

    def moment(self, place: Place) -> np.ndarray:
        """Moment on the journal about its centre, N m, (3,); errors as of ``force``."""
        return np.array([0.0, 0.0, self._evaluated(place)[2]])

    def _evaluated(self, place: Place) -> np.ndarray:
        who = type(self).__name__
        e, V = (np.array(z[:2], float) for z in (place.e, place.V))
        if np.any(place.t) or np.any(place.Omega[:2]):
            raise InputError(f"{who} needs parallel axes.")
        if np.hypot(*e) >= self.clearance:
            raise InputError(
                f"{who}: the journal touches the bearing, eccentricity {np.hypot(*e):g} m of "
                f"{self.clearance:g} m."
            )
        if np.any(V) and not self.moving:
            raise InputError(f"{who} with Guembel's condition needs a journal whose centre rests.")
        omega, cavitation = float(place.Omega[2]), type(self.cavitation)
        return np.array(self.acting(e, V, omega, self.numbers, cavitation, math))


class ShortBearing(ClosedForm):
    """Ocvirk (1952): the pressure drives flow along the axis only and is parabolic there.

    The force is -mu R L^3 / c^2 int n (v . n) / h^3 dphi with h and v by the clearance; with
    Guembel's condition over the half of the bearing that v points to. The integrals are second
    derivatives of that of 1/h by eps (half: Booker 1965): with x and y the place along v and
    across it, that is I = 2 T / s, s^2 = 1 - x^2 - y^2, T = atan((1+x-y)/s) + atan((1+x+y)/s), and
    T_x = 1/s, T_y = x y / (s (1 - y^2)).
    """

    @staticmethod
    def unit(radius, length, clearance, viscosity):
        return viscosity * radius * length**3 / clearance**2

    @staticmethod
    def law(eps, v, omega, cavitation, maths=ufl):
        if not issubclass(cavitation, Guembel):
            s = _root(eps, maths)
            along = v[0] * eps[0] + v[1] * eps[1]
            return tuple(-np.pi * (v[k] / s**3 + 3 * along * eps[k] / s**5) for k in (0, 1))
        speed = maths.sqrt(v[0] ** 2 + v[1] ** 2 + TINY**2)
        d = [z / speed for z in v]  # the axes of the half that carries load
        x, y = eps[0] * d[0] + eps[1] * d[1], eps[1] * d[0] - eps[0] * d[1]
        s = _root((x, y), maths)
        T = maths.atan((1 + x - y) / s) + maths.atan((1 + x + y) / s)
        # - I_xx / 2 and - I_xy / 2
        ahead = -3 * x / s**4 - T * (s**2 + 3 * x**2) / s**5
        across = -2 * y / s**4 - x**2 * y / (s**4 * (1 - y**2)) - 3 * x * y * T / s**5
        return ahead * v[0] - across * v[1], ahead * v[1] + across * v[0]


class LongBearing(ClosedForm):
    """Sommerfeld (1904): the pressure drives flow around the bearing only; eq. (14) of Ebrahimi et
    al. (2017) for a journal that moves along the line of centres.

    Guembel's condition (half Sommerfeld) takes the half turn before the smallest gap. That is right
    for a journal whose centre rests; for a moving one the level of the pressure, and with it the
    part that carries load, would be known at an end or a groove only.

    Example::

        lubrication.LongBearing(15e-3, 60e-3, 50e-6, viscosity=0.04)
    """

    @property
    def moving(self):
        return type(self.cavitation) is Full

    @staticmethod
    def unit(radius, length, clearance, viscosity):
        return 12 * np.pi * viscosity * radius**3 * length / clearance**2

    @staticmethod
    def law(eps, v, omega, cavitation, maths=ufl):
        s, square = _root(eps, maths), eps[0] ** 2 + eps[1] ** 2
        if not issubclass(cavitation, Guembel):
            along = v[0] * eps[0] + v[1] * eps[1]
            return tuple(
                -(2 * v[k] + 3 * along * eps[k] / s**2) / ((2 + square) * s) for k in (0, 1)
            )
        inward = abs(omega) * maths.sqrt(square) / ((2 + square) * s**2) / np.pi
        wedge = omega / ((2 + square) * s) / 2
        return -wedge * eps[1] - inward * eps[0], wedge * eps[0] - inward * eps[1]


@dataclass(frozen=True)
class ClosedLawKind(Kind):
    """The force of a closed form for the motion that its port knows; fields are those of the port.

    Args:
        law: a ``ClosedForm``.
        cavitation: its model.
        transition: where the film gets thinner than ``least`` (m) it has one to dry contact
            (thickness.py): with the least thickness d the law is that of a journal at c - h(d), of
            whose force the part dh/dd acts. Shear goes on. So the law is a number at any place, and
            never drives the journal.
    """

    feeds_energy = False

    law: type[ClosedForm]
    cavitation: type[Cavitation]
    transition: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        own = ("radius", "length", "clearance", "viscosity")
        return dict.fromkeys((*own, "least") if self.transition else own, ())

    @property
    def label(self):
        return f"film ({self.law.__name__}, {self.cavitation.__name__})"

    def fields(self):
        return {"e": (3,), "t": (2,), "W": (6,)}

    def _force(self, c):
        """Force and moment on the journal."""
        e, _, W = c.split(c.q)
        numbers = [c.par(n) for n in ("radius", "length", "clearance", "viscosity")]
        nearer, share = self._moved(c, e) if self.transition else (1.0, 1.0)
        x, y, turn = self.law.acting(
            [nearer * e[0], nearer * e[1]], [W[0], W[1]], W[5], numbers, self.cavitation,
            share=share,
        )  # fmt: skip
        return ufl.as_vector([x, y, 0.0, 0.0, 0.0, turn])

    @staticmethod
    def _moved(c, e):
        """Where the law is read, as a part of the journal's place, and the part that acts."""
        clearance, least = c.par("clearance"), c.par("least")
        distance = ufl.sqrt(e[0] ** 2 + e[1] ** 2 + TINY_LENGTH**2)
        apart = clearance - distance
        h, acts = film_transition(apart, least)
        near = indicator(ufl.lt(apart, least))
        return 1 - near + near * (clearance - h) / distance, acts

    def residual(self, c):
        return -ufl.dot(self._force(c), c.split(c.test)[2]) * c.dx()

    def observables(self, c):
        lost = c.taken(self.residual(c), (None, None, c.split(c.q)[2]))
        return {"power_loss": Observable(lost, "W", "power the film turns into heat", "power.film")}


def _root(eps, maths):
    """sqrt(1 - eps^2); no number where the surfaces touch."""
    return maths.sqrt(1 - eps[0] ** 2 - eps[1] ** 2)
