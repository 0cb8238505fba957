"""Lubricants: viscosity as one UFL expression of the pressure."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

import ufl

from ... import checks
from ...errors import InputError
from ...user_code import Law
from .density import Density


@dataclass(frozen=True)
class Lubricant(Law):
    """A Newtonian lubricant of constant viscosity; base of the laws.

    Args:
        viscosity: at ambient pressure, Pa s.
        density: law of the density, by name; default: it cannot be compressed.
    """

    scalars: ClassVar[tuple[str, ...]] = ("at",)

    viscosity: float
    density: Density = field(default=Density(), kw_only=True)
    parameters: ClassVar[tuple[str, ...]] = ("viscosity",)

    def __post_init__(self):
        checks.positive(f"{type(self).__name__}.viscosity", self.viscosity)
        if not isinstance(self.density, Density):
            raise InputError(
                f"{type(self).__name__}: density must be a law such as DowsonHigginson(), got "
                f"{self.density!r}."
            )

    def values(self) -> dict[str, float]:
        """Numbers of the laws, as forms name them."""
        own = {f"lubricant.{name}": float(getattr(self, name)) for name in self.parameters}
        return own | {f"density.{name}": z for name, z in self.density.values().items()}

    @staticmethod
    def at(pressure, p: SimpleNamespace):
        """Viscosity in Pa s at a pressure (UFL, Pa)."""
        return p.viscosity + 0.0 * pressure


def lubricant_of(lubricant: Lubricant | float) -> Lubricant:
    """The law itself, or that of a constant viscosity in Pa s."""
    return lubricant if isinstance(lubricant, Lubricant) else Lubricant(lubricant)


@dataclass(frozen=True)
class Barus(Lubricant):
    """Barus (1893): mu = mu_0 exp(alpha p).

    Args:
        alpha: pressure coefficient, 1/Pa.
    """

    alpha: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("viscosity", "alpha")

    def __post_init__(self):
        super().__post_init__()
        checks.non_negative("Barus.alpha", self.alpha)

    @staticmethod
    def at(pressure, p):
        return p.viscosity * ufl.exp(p.alpha * pressure)


@dataclass(frozen=True)
class Roelands(Lubricant):
    """Roelands (1966): mu = mu_0 exp((ln mu_0 + 9.67) ((1 + p / 1.96e8)^z - 1)), Pa s and Pa.

    Args:
        z: pressure index, about 0.6 for mineral oils.
    """

    z: float = 0.6
    parameters: ClassVar[tuple[str, ...]] = ("viscosity", "z")

    def __post_init__(self):
        super().__post_init__()
        checks.within("Roelands.z", self.z, 0.0, 2.0)

    @staticmethod
    def at(pressure, p):
        growth = abs(1 + pressure / 1.96e8) ** p.z - 1
        return p.viscosity * ufl.exp((ufl.ln(p.viscosity) + 9.67) * growth)
