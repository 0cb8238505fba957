"""Friction laws: the coefficient of friction as one UFL expression of the sliding speed."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import ufl

from .. import checks
from ..errors import InputError
from .normal import indicator


@dataclass(frozen=True)
class FrictionLaw:
    """Base of the laws: friction force = coefficient(speed) x normal force, against the sliding."""

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the law."""
        raise TypeError(f"{type(self).__name__} gives no values")

    @staticmethod
    def coefficient(speed, p: SimpleNamespace):
        """Coefficient of friction at a sliding speed (UFL, m/s, at least 0)."""
        raise TypeError("a friction law defines coefficient()")


@dataclass(frozen=True)
class ModifiedCoulomb(FrictionLaw):
    """Coulomb's law with a ramp near zero speed: Tian et al. (2009) eqs. (20), (21); Ambrosio
    (2003).

    No friction below ``v0``, all of it above ``v1``; it slides under any load, there is no
    stiction.

    Args:
        mu: coefficient of friction.
        v0, v1: speeds in m/s between which friction rises.
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

    def values(self):
        return {"mu": self.mu, "v0": self.v0, "v1": self.v1}

    @staticmethod
    def coefficient(speed, p):
        ramp = (speed - p.v0) / (p.v1 - p.v0)
        rising = indicator(ufl.And(ufl.gt(ramp, 0), ufl.lt(ramp, 1)))
        return p.mu * (rising * ramp + indicator(ufl.ge(ramp, 1)))
