"""Viscosity by temperature: factors of a lubricant's viscosity, each one UFL expression.

A factor multiplies the viscosity at ambient pressure *before* the law of the pressure sees it, so
that mu(p, T) is one law: of ``Barus`` mu_0(T) exp(alpha p); of ``Roelands`` with
``RoelandsTemperature`` his law of both::

    mu = exp(-9.67 + (ln mu_0 + 9.67) ((T - 138) / (T_0 - 138))^-s (1 + p / 1.96e8)^z)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from ... import checks
from ...errors import InputError
from ...user_code import Law

#: kinematic viscosity, m^2/s, and viscosity, Pa s, above which no oil lubricates a bearing
THICK, STIFF = 0.1, 40.0
#: a point of a viscosity curve: K, and Pa s (or m^2/s)
Point = tuple[float, float]


@dataclass(frozen=True)
class TemperatureLaw(Law):
    """A viscosity that does not change with temperature; base of the laws.

    Attributes:
        parameters: names of the law's numbers.
        kinematic: the law is of the kinematic viscosity: the density counts too.

    Example::

        @dataclass(frozen=True)
        class Power(extend.TemperatureLaw):
            exponent: float
            parameters = ("exponent",)

            @staticmethod
            def factor(temperature, reference, p):
                return (reference / temperature) ** p.exponent

        lubrication.Lubricant(0.04, temperature=Power(12.0))
    """

    scalars: ClassVar[tuple[str, ...]] = ("factor",)

    parameters: ClassVar[tuple[str, ...]] = ()
    kinematic: ClassVar[bool] = False

    def values(self) -> dict[str, float]:
        """Numbers of the law."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def factor(temperature, reference, p: SimpleNamespace) -> Any:
        """Viscosity at a temperature by that at the reference temperature (UFL, both in K); ``p``
        holds the law's numbers and the ``viscosity`` at the reference, Pa s."""
        return 1.0


@dataclass(frozen=True)
class Exponential(TemperatureLaw):
    """Reynolds (1886): mu = mu_0 exp(-beta (T - T_0)).

    Args:
        beta: temperature coefficient, 1/K; about 0.03 for mineral oils.
    """

    beta: float
    parameters: ClassVar[tuple[str, ...]] = ("beta",)

    def __post_init__(self):
        checks.non_negative("Exponential.beta", self.beta)

    @classmethod
    def through(cls, first: Point, second: Point) -> Exponential:
        """The law through two measured points (K, Pa s)."""
        (T, mu), (S, nu) = _curve("Exponential", first, second)
        return cls(float(np.log(mu / nu) / (S - T)))

    @staticmethod
    def factor(temperature, reference, p):
        return ufl.exp(-p.beta * (temperature - reference))


@dataclass(frozen=True)
class Vogel(TemperatureLaw):
    """Vogel (1921): mu = a exp(b / (T - c)).

    Args:
        b: K.
        c: temperature at which the law has no number any more, K.

    Example::

        lubrication.Vogel.through((313.15, 0.046), (333.15, 0.021), (373.15, 0.0063))
    """

    b: float
    c: float
    parameters: ClassVar[tuple[str, ...]] = ("b", "c")

    def __post_init__(self):
        checks.positive("Vogel.b", self.b)
        checks.non_negative("Vogel.c", self.c)

    @classmethod
    def through(cls, first: Point, second: Point, third: Point) -> Vogel:
        """The law through three measured points (K, Pa s)."""
        (T, mu), (S, nu), (R, xi) = _curve("Vogel", first, second, third)
        steps = np.log(mu / nu), np.log(nu / xi)
        k = steps[0] * (R - S) / (steps[1] * (S - T))  # (R - c) / (T - c)
        if k <= 1:
            raise InputError("Vogel.through: ln(mu) over T must be convex, as that of oils is.")
        c = (k * T - R) / (k - 1)
        return cls(float(steps[0] * (T - c) * (S - c) / (S - T)), float(c))

    @staticmethod
    def factor(temperature, reference, p):
        return ufl.exp(p.b / (temperature - p.c) - p.b / (reference - p.c))


@dataclass(frozen=True)
class Walther(TemperatureLaw):
    """Walther (1931), ASTM D341: ln ln(nu + 0.7) = a - b ln T, nu in mm^2/s, T in K; for
    nu > 2 mm^2/s.

    Args:
        first, second: measured points, K and m^2/s: (313.15, 46e-6), (373.15, 6.8e-6).

    Attributes:
        level, slope: a and b.
    """

    first: Point
    second: Point
    level: float = field(init=False)
    slope: float = field(init=False)
    parameters: ClassVar[tuple[str, ...]] = ("level", "slope")
    kinematic: ClassVar[bool] = True

    def __post_init__(self):
        (T, nu), (S, xi) = _curve("Walther", self.first, self.second)
        if min(nu, xi) < 1e-6:
            raise InputError(
                "Walther: the points are in K and m^2/s, both above 1e-6 m^2/s, such as "
                f"(313.15, 46e-6); got {nu:g} and {xi:g} m^2/s."
            )
        if max(nu, xi) > THICK:
            raise InputError(
                f"Walther: {max(nu, xi):g} m^2/s is no viscosity of an oil; the points are in K "
                "and m^2/s: 46 mm^2/s (cSt) are 46e-6 m^2/s."
            )
        high, low = (np.log(np.log(1e6 * z + 0.7)) for z in (nu, xi))
        slope = (high - low) / np.log(S / T)
        object.__setattr__(self, "slope", float(slope))
        object.__setattr__(self, "level", float(high + slope * np.log(T)))

    def kinematic_viscosity(self, temperature: float) -> float:
        """At a temperature in K, m^2/s."""
        T = checks.temperature("Walther: temperature", temperature)
        return float(1e-6 * (np.exp(np.exp(self.level) * T**-self.slope) - 0.7))

    @staticmethod
    def factor(temperature, reference, p):
        def nu(T):
            return ufl.exp(ufl.exp(p.level) * T ** (-p.slope)) - 0.7

        return nu(temperature) / nu(reference)


@dataclass(frozen=True)
class RoelandsTemperature(TemperatureLaw):
    """Roelands (1966): ln mu + 9.67 falls as (T - 138 K)^-s.

    Args:
        s: slope index, about 1.1 for mineral oils.

    Example::

        lubrication.Roelands(0.04, z=0.6, temperature=lubrication.RoelandsTemperature(s=1.1))
    """

    s: float = 1.1
    parameters: ClassVar[tuple[str, ...]] = ("s",)

    def __post_init__(self):
        checks.within("RoelandsTemperature.s", self.s, 0.0, 3.0)

    @classmethod
    def through(cls, first: Point, second: Point) -> RoelandsTemperature:
        """The law through two measured points (K, Pa s)."""
        (T, mu), (S, nu) = _curve("RoelandsTemperature", first, second)
        if max(mu, nu) > STIFF:
            raise InputError(
                f"RoelandsTemperature.through: {max(mu, nu):g} Pa s is no viscosity of an oil; the "
                "points are in K and Pa s: 46 mPa s (cP) are 46e-3 Pa s."
            )
        fall = np.log((np.log(mu) + 9.67) / (np.log(nu) + 9.67))
        return cls(float(fall / np.log((S - 138) / (T - 138))))

    @staticmethod
    def factor(temperature, reference, p):
        warmer = ((temperature - 138) / (reference - 138)) ** (-p.s)
        return ufl.exp((ufl.ln(p.viscosity) + 9.67) * (warmer - 1))


def _curve(who: str, *points: Point) -> list[Point]:
    """Points of a viscosity curve in the order of their temperatures.

    Raises:
        InputError: no such points, a viscosity that does not fall.
    """
    pairs = sorted(tuple(checks.vector(f"{who}: point", z, 2)) for z in points)
    T, mu = np.array(pairs).T
    if T[0] <= 138 or mu.min() <= 0 or np.any(np.diff(T) <= 0) or np.any(np.diff(mu) >= 0):
        raise InputError(
            f"{who}: points are (temperature in K, viscosity), at different temperatures and with "
            f"a viscosity that falls as they rise, got {checks.shown(points)}."
        )
    return [(float(x), float(y)) for x, y in pairs]
