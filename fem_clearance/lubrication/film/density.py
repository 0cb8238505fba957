"""Density of lubricants as one UFL expression of the pressure, relative to that at ambient
pressure. In Reynolds' equation what flows and what is stored is mass; forces and heat know the
pressure and the viscosity only."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import ufl

from ... import checks
from ...contact.laws.normal import indicator
from ...user_code import Law


@dataclass(frozen=True)
class Density(Law):
    """A lubricant that cannot be compressed; base of the laws."""

    scalars: ClassVar[tuple[str, ...]] = ("at",)

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the law."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def at(pressure, p: SimpleNamespace) -> Any:
        """Density by that at ambient pressure, at a pressure (UFL, Pa)."""
        return 1.0


@dataclass(frozen=True)
class DowsonHigginson(Density):
    """Dowson and Higginson (1966): rho / rho_0 = 1 + a p / (1 + b p); under tension rho_0.

    Args:
        compressibility: a, 1/Pa.
        saturation: b, 1/Pa; at most 1 + a / b is reached.
    """

    compressibility: float = 0.6e-9
    saturation: float = 1.7e-9
    parameters: ClassVar[tuple[str, ...]] = ("compressibility", "saturation")

    def __post_init__(self):
        for name in self.parameters:
            checks.non_negative(f"DowsonHigginson.{name}", getattr(self, name))

    @staticmethod
    def at(pressure, p):
        pushed = indicator(ufl.gt(pressure, 0)) * pressure
        return 1 + p.compressibility * pushed / (1 + p.saturation * pushed)
