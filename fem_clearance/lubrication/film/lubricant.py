"""Lubricants: viscosity and density as one UFL expression of the pressure each.

The density is relative to that at ambient pressure. In Reynolds' equation what flows and what is
stored is mass; forces and heat know the pressure and the viscosity only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import ufl

from ... import checks
from ...contact.laws.normal import indicator
from ...errors import InputError
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


class FilmUnits:
    """Units of the unknowns of a film of typical sliding speed U; a base beside its data.

    Attributes:
        radius: typical radius of the surface, m.
        clearance: m.
        viscosity: at ambient pressure, Pa s.
        sliding_speed: U, m/s.
        area: of the surface, m^2.
    """

    radius: float
    clearance: float
    viscosity: float
    sliding_speed: float

    @property
    def area(self) -> float:
        """Area of the surface, m^2."""
        raise TypeError("a film defines area")

    @property
    def pressure_unit(self) -> float:
        """mu U R / c^2, Pa."""
        return self.viscosity * self.sliding_speed * self.radius / self.clearance**2

    @property
    def rate_unit(self) -> float:
        """U c / R, m/s."""
        return self.sliding_speed * self.clearance / self.radius

    @property
    def power_unit(self) -> float:
        """Pressure times area times rate, W: the least that rows are judged against."""
        return self.pressure_unit * self.rate_unit * self.area
