"""Friction laws: the coefficient of friction as one UFL expression of the sliding speed.

To add a law: subclass ``FrictionLaw``, name the numbers it reads in ``parameters`` (each an
attribute of the law, or override ``values``) and give the coefficient. The tangent is derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from types import SimpleNamespace
from typing import ClassVar

import ufl

from ... import checks
from ...errors import InputError
from ...user_code import Law
from .normal import indicator

#: part of a law's own speed below which nothing is resolved; keeps directions finite at rest
REST = 1e-7
#: the same of laws that name no speed, m/s
SLOWEST = 1e-10


@dataclass(frozen=True)
class FrictionLaw(Law):
    """Base of the laws: friction force = coefficient(speed) x normal force, against the sliding.

    Laws with memory are of the class ``BristleLaw``. Parameters named ``v0``, ``v_s`` and the like
    are speeds: a part ``REST`` of the last of them counts as rest, in any units.
    """

    scalars: ClassVar[tuple[str, ...]] = ("coefficient",)
    needed: ClassVar[tuple[str, ...]] = ("coefficient",)

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the law."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @classmethod
    def rest(cls, p: SimpleNamespace):
        """Speed below which nothing is resolved, m/s."""
        speeds = [n for n in cls.parameters if n[:1] == "v" and (n[1:2] == "_" or n[1:].isdigit())]
        return REST * getattr(p, speeds[-1]) if speeds else SLOWEST

    @staticmethod
    def coefficient(speed, p: SimpleNamespace):
        """Coefficient of friction at a sliding speed (UFL, m/s, above 0)."""
        raise TypeError("a friction law defines coefficient()")


@dataclass(frozen=True)
class BristleLaw(FrictionLaw):
    """Base of laws whose friction comes from bristles between the surfaces.

    Their deflection z (m, a vector along the surface in joints, a number in friction elements) is
    an internal variable of first order: ``growth`` is its rate while the surfaces touch. When they
    part it decays at the rate ``p.relaxation`` (1/s), which every such law has among its numbers.
    ``coefficient`` is that of steady sliding. The methods are called with vectors or scalars.

    Example::

        class Dahl(fc.BristleLaw):
            # Dahl (1968): bristles without damping; mu = sigma z at rest

            parameters = ("mu", "sigma", "relaxation")
            mu, sigma, relaxation = 0.2, 1e5, 1e3  # 1, 1/m, 1/s

            @staticmethod
            def growth(velocity, z, speed, p):
                return velocity - p.sigma * speed * z / p.mu

            @staticmethod
            def drag(z, rate, velocity, p):
                return p.sigma * z

            @staticmethod
            def coefficient(speed, p):
                return p.mu

        fc.RevoluteClearance(ground, body.center, (0, 0, 1), bearing_radius=0.01,
                             journal_radius=0.0095, length=0.03, materials=(steel, steel),
                             friction=Dahl())
    """

    expressions: ClassVar[tuple[str, ...]] = ("growth", "drag")
    needed: ClassVar[tuple[str, ...]] = ("growth", "drag", "coefficient")

    @staticmethod
    def growth(velocity, z, speed, p: SimpleNamespace):
        """dz/dt in m/s at a sliding velocity of size ``speed``."""
        raise TypeError("a bristle law defines growth()")

    @staticmethod
    def drag(z, rate, velocity, p: SimpleNamespace):
        """Friction force per normal force, along the sliding velocity; ``rate`` is dz/dt."""
        raise TypeError("a bristle law defines drag()")


@dataclass(frozen=True)
class ModifiedCoulomb(FrictionLaw):
    """Coulomb's law with a ramp near zero speed: Tian et al. (2009) eqs. (20), (21); Ambrosio
    (2003).

    There is no friction below ``v0`` and full friction above ``v1``. The surfaces slide under any
    load; there is no stiction.

    Args:
        mu: coefficient of friction.
        v0, v1: speeds in m/s between which friction rises.

    Raises:
        InputError: a negative coefficient or speed, v1 not above v0.

    See docs/laws.md. Example::

        fc.ModifiedCoulomb(0.1, v0=1e-3, v1=1e-2)
    """

    mu: float
    v0: float = 1e-3
    v1: float = 1e-2
    parameters: ClassVar[tuple[str, ...]] = ("mu", "v0", "v1")

    def __post_init__(self):
        checks.non_negative("ModifiedCoulomb.mu", self.mu)
        checks.non_negative("ModifiedCoulomb.v0", self.v0)
        checks.positive("ModifiedCoulomb.v1", self.v1)
        if self.v1 <= self.v0:
            raise InputError(
                f"ModifiedCoulomb: v1 = {self.v1:g} m/s must exceed v0 = {self.v0:g} m/s."
            )

    @staticmethod
    def coefficient(speed, p):
        ramp = (speed - p.v0) / (p.v1 - p.v0)
        rising = indicator(ufl.And(ufl.gt(ramp, 0), ufl.lt(ramp, 1)))
        return p.mu * (rising * ramp + indicator(ufl.ge(ramp, 1)))


@dataclass(frozen=True)
class SmoothCoulomb(FrictionLaw):
    """mu tanh(speed / v0).

    Args:
        mu: coefficient of friction.
        v0: speed in m/s at which 76 % of it is reached.

    Raises:
        InputError: a negative coefficient, a speed that is not positive.

    See docs/laws.md. Example::

        fc.SmoothCoulomb(0.1, v0=1e-3)
    """

    mu: float
    v0: float = 1e-3
    parameters: ClassVar[tuple[str, ...]] = ("mu", "v0")

    def __post_init__(self):
        checks.non_negative("SmoothCoulomb.mu", self.mu)
        checks.positive("SmoothCoulomb.v0", self.v0)

    @staticmethod
    def coefficient(speed, p):
        return p.mu * tanh(speed / p.v0)


@dataclass(frozen=True)
class Stribeck(FrictionLaw):
    """(mu_d + (mu_s - mu_d) exp(-(speed / v_s)^2)) tanh(speed / v0) + viscous speed.

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction.
        v_s: Stribeck speed, m/s.
        v0: speed of the smooth rise, m/s, well below ``v_s``.
        viscous: s/m.

    Raises:
        InputError: a value out of range, mu_s below mu_d.

    See docs/laws.md. Example::

        fc.Stribeck(mu_s=0.4, mu_d=0.3, v_s=1e-2, v0=1e-3)
    """

    mu_s: float
    mu_d: float
    v_s: float = 1e-2
    v0: float = 1e-3
    viscous: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("mu_s", "mu_d", "v_s", "v0", "viscous")

    def __post_init__(self):
        check_coefficients(self)
        checks.positive("Stribeck.v_s", self.v_s)
        checks.positive("Stribeck.v0", self.v0)
        checks.non_negative("Stribeck.viscous", self.viscous)

    @staticmethod
    def coefficient(speed, p):
        return stribeck_curve(speed, p) * tanh(speed / p.v0) + p.viscous * speed


@dataclass(frozen=True)
class CubicStribeck(FrictionLaw):
    """Two cubics: 0 at rest, mu_s at v_s, mu_d from v_d on; Bai, Zhang and Sun (2014) eq. (13).

    Corrected (docs/errata.md): friction opposes the sliding, whatever its sign, and the
    middle branch runs from mu_s to mu_d. Slope zero at v_s and v_d.

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction.
        v_s, v_d: speeds in m/s at which they are reached.

    Raises:
        InputError: a value out of range, mu_s below mu_d, v_d not above v_s.

    See docs/laws.md. Example::

        fc.CubicStribeck(mu_s=0.4, mu_d=0.3, v_s=1e-2, v_d=0.1)
    """

    mu_s: float = 0.1
    mu_d: float = 0.1
    v_s: float = 0.01
    v_d: float = 0.1
    parameters: ClassVar[tuple[str, ...]] = ("mu_s", "mu_d", "v_s", "v_d")

    def __post_init__(self):
        check_coefficients(self)
        checks.positive("CubicStribeck.v_s", self.v_s)
        if not checks.number("CubicStribeck.v_d", self.v_d) > self.v_s:
            raise InputError(
                f"CubicStribeck: v_d = {self.v_d:g} m/s must exceed v_s = {self.v_s:g} m/s."
            )

    @staticmethod
    def coefficient(speed, p):
        x, z = speed / p.v_s, (speed - p.v_s) / (p.v_d - p.v_s)
        rise = p.mu_s * x * (3 - x**2) / 2
        fall = p.mu_s + (p.mu_d - p.mu_s) * z**2 * (3 - 2 * z)
        return (
            indicator(ufl.lt(x, 1)) * rise
            + indicator(ufl.And(ufl.ge(x, 1), ufl.lt(z, 1))) * fall
            + indicator(ufl.ge(z, 1)) * p.mu_d
        )


@dataclass(frozen=True)
class Threlfall(FrictionLaw):
    """mu (1 - exp(-3 speed / v0)) / (1 - exp(-3)) up to v0, mu beyond: Threlfall (1978).

    The paper divides by 0.95, its value of 1 - exp(-3), which leaves a jump of 2e-4 mu at v0.

    Args:
        mu: coefficient of friction.
        v0: speed in m/s from which it is constant.

    Raises:
        InputError: a negative coefficient, a speed that is not positive.

    See docs/laws.md. Example::

        fc.Threlfall(0.1, v0=1e-3)
    """

    mu: float
    v0: float = 1e-2
    parameters: ClassVar[tuple[str, ...]] = ("mu", "v0")

    def __post_init__(self):
        checks.non_negative("Threlfall.mu", self.mu)
        checks.positive("Threlfall.v0", self.v0)

    @staticmethod
    def coefficient(speed, p):
        x = speed / p.v0
        rising = indicator(ufl.lt(x, 1))
        return p.mu * (1 - rising + rising * (1 - ufl.exp(-3 * x)) / (1 - exp(-3)))


@dataclass(frozen=True)
class BengisuAkay(FrictionLaw):
    """A parabola up to (v0, mu_s), then mu_d + (mu_s - mu_d) exp(-decay (speed - v0)): Bengisu and
    Akay (1994).

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction.
        v0: speed of the peak, m/s.
        decay: s/m.

    Raises:
        InputError: a value out of range, mu_s below mu_d.

    See docs/laws.md. Example::

        fc.BengisuAkay(mu_s=0.4, mu_d=0.3, v0=1e-2, decay=50.0)
    """

    mu_s: float
    mu_d: float
    v0: float = 1e-3
    decay: float = 100.0
    parameters: ClassVar[tuple[str, ...]] = ("mu_s", "mu_d", "v0", "decay")

    def __post_init__(self):
        check_coefficients(self)
        checks.positive("BengisuAkay.v0", self.v0)
        checks.positive("BengisuAkay.decay", self.decay)

    @staticmethod
    def coefficient(speed, p):
        rising = indicator(ufl.lt(speed, p.v0))
        rise = p.mu_s * (1 - (speed / p.v0 - 1) ** 2)
        beyond = abs(speed - p.v0)  # finite also far below v0
        return rising * rise + (1 - rising) * (
            p.mu_d + (p.mu_s - p.mu_d) * ufl.exp(-p.decay * beyond)
        )


def stribeck_curve(speed, p):
    """Falls from mu_s at rest to mu_d beyond the Stribeck speed v_s."""
    return p.mu_d + (p.mu_s - p.mu_d) * ufl.exp(-((speed / p.v_s) ** 2))


def tanh(x):
    """Of x at least 0; unlike UFL's, its derivative stays finite beyond x = 710."""
    decay = ufl.exp(-2 * x)
    return (1 - decay) / (1 + decay)


def check_coefficients(law) -> None:
    """Refuse static friction below the sliding one."""
    who = type(law).__name__
    checks.non_negative(f"{who}.mu_d", law.mu_d)
    if not checks.number(f"{who}.mu_s", law.mu_s) >= law.mu_d:
        raise InputError(
            f"{who}: static friction mu_s = {law.mu_s:g} must not be below mu_d = {law.mu_d:g}."
        )
