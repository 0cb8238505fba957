"""Lubricants: viscosity and density as one UFL expression of pressure (and temperature) each.

The density is relative to that at ambient pressure and the reference temperature. In Reynolds'
equation what flows and what is stored is mass; forces and heat know the pressure and the viscosity
only. How the viscosity falls with the temperature is a law of its own (temperature.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isfinite
from types import SimpleNamespace
from typing import Any, ClassVar

import ufl

from ... import checks
from ...contact.laws.normal import indicator
from ...errors import InputError
from ...user_code import Law, is_added, number_of, place_of, refusal
from .temperature import TemperatureLaw

#: pressures over ambient at which viscosities of users' laws are tried, Pa
TRIED = (-1e5, -5e4, -1e4, 0.0, 1e5)


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

    @staticmethod
    def warm(rise, p: SimpleNamespace) -> Any:
        """Factor of it at a temperature, in K above the lubricant's reference (UFL)."""
        return 1.0


@dataclass(frozen=True)
class DowsonHigginson(Density):
    """Dowson and Higginson (1966): rho / rho_0 = (1 + a p / (1 + b p)) (1 - g (T - T_0)); under
    tension as at ambient pressure. The temperature counts in films that have one (``thermal=``).

    Args:
        compressibility: a, 1/Pa.
        saturation: b, 1/Pa; at most 1 + a / b is reached.
        expansion: g, 1/K, about 7e-4 for mineral oils.

    Example::

        lubrication.Barus(0.04, alpha=2e-8, density=lubrication.DowsonHigginson())
    """

    compressibility: float = 0.6e-9
    saturation: float = 1.7e-9
    expansion: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("compressibility", "saturation", "expansion")

    def __post_init__(self):
        for name in self.parameters:
            checks.non_negative(f"DowsonHigginson.{name}", getattr(self, name))

    @staticmethod
    def at(pressure, p):
        pushed = indicator(ufl.gt(pressure, 0)) * pressure
        return 1 + p.compressibility * pushed / (1 + p.saturation * pushed)

    @staticmethod
    def warm(rise, p):
        return 1 - p.expansion * rise


@dataclass(frozen=True)
class Lubricant(Law):
    """A Newtonian lubricant of constant viscosity; base of the laws.

    Args:
        viscosity: at ambient pressure and the reference temperature, Pa s.
        density: law of the density, by name; default: incompressible.
        temperature: law of the viscosity by temperature, by name; default: constant.
            Only films with ``thermal=`` have a temperature.
        reference_temperature: K; default 40 degrees C, at which oils are graded (ISO 3448).
        mass_density, specific_heat, conductivity: of the oil, kg/m^3, J/(kg K), W/(m K); by
            default those of a mineral oil.
    """

    scalars: ClassVar[tuple[str, ...]] = ("at",)

    viscosity: float
    density: Density = field(default=Density(), kw_only=True)
    temperature: TemperatureLaw = field(default=TemperatureLaw(), kw_only=True)
    reference_temperature: float = field(default=313.15, kw_only=True)
    mass_density: float = field(default=870.0, kw_only=True)
    specific_heat: float = field(default=2000.0, kw_only=True)
    conductivity: float = field(default=0.14, kw_only=True)
    parameters: ClassVar[tuple[str, ...]] = ("viscosity",)

    def __post_init__(self):
        checks.viscosity(f"{type(self).__name__}.viscosity", self.viscosity)
        if not isinstance(self.density, Density):
            raise InputError(
                f"{type(self).__name__}: density must be a law such as DowsonHigginson(), got "
                f"{self.density!r}."
            )
        if not isinstance(self.temperature, TemperatureLaw):
            raise InputError(
                f"{type(self).__name__}: temperature must be a law such as Exponential(0.03), got "
                f"{self.temperature!r}."
            )
        if "viscosity" not in self.parameters and type(self.temperature) is not TemperatureLaw:
            raise InputError(
                f"{type(self).__name__}: a law of the temperature scales the number viscosity, "
                "which must be among the parameters."
            )
        checks.temperature(
            f"{type(self).__name__}.reference_temperature", self.reference_temperature
        )
        for name in ("mass_density", "specific_heat"):
            checks.positive(f"{type(self).__name__}.{name}", getattr(self, name))
        checks.non_negative(f"{type(self).__name__}.conductivity", self.conductivity)

    @property
    def heat_capacity(self) -> float:
        """By volume, J/(m^3 K)."""
        return self.mass_density * self.specific_heat

    def values(self) -> dict[str, float]:
        """Numbers of the laws, as forms name them; a user's law is tried with them."""
        if is_added(type(self)):
            _try(self)
        own = {f"lubricant.{name}": float(getattr(self, name)) for name in self.parameters}
        return own | {f"density.{name}": z for name, z in self.density.values().items()}

    def thermal_values(self) -> dict[str, float]:
        """Numbers that only films with a temperature read, as forms name them."""
        law = {f"temperature.{name}": z for name, z in self.temperature.values().items()}
        return law | {
            "oil.reference": self.reference_temperature,
            "oil.heat": self.heat_capacity,
            "oil.conductivity": self.conductivity,
        }

    def viscosity_at(self, temperature: float, pressure: float = 0.0) -> float:
        """Viscosity in Pa s at a temperature (K) and a pressure (Pa over ambient); ``inf`` or
        ``nan`` where the laws have no number."""
        law, warm, density = (
            SimpleNamespace(**{n: ufl.as_ufl(float(getattr(z, n))) for n in z.parameters})
            for z in (self, self.temperature, self.density)
        )
        T, reference, p = map(ufl.as_ufl, (float(temperature), self.reference_temperature,
                                           float(pressure)))  # fmt: skip
        cold = vars(law).get("viscosity")
        try:
            law.viscosity = warmed(
                self.temperature, self.density, T, reference, cold, warm, density
            )
            viscosity = ufl.as_ufl(self.at(p, law))(())
        except InputError:
            raise
        except (ArithmeticError, ValueError):  # UFL refuses a power of zero by the latter
            return float("inf")
        # a power of a negative number is complex
        return float("nan") if isinstance(viscosity, complex) else float(viscosity)

    def at_temperature(self, temperature: float) -> Lubricant:
        """The lubricant with the viscosity that it has at a temperature, K, for films without
        ``thermal``."""
        return replace(
            self, viscosity=self.viscosity_at(temperature), reference_temperature=temperature
        )

    @staticmethod
    def at(pressure, p: SimpleNamespace):
        """Viscosity in Pa s at a pressure (UFL, Pa)."""
        return p.viscosity + 0.0 * pressure


def _try(law: Lubricant) -> None:
    """Refuse a viscosity that is not positive, or changes infinitely fast, at a pressure that
    films meet, if only on the way to their solution.

    Raises:
        InputError: this.
    """
    p = SimpleNamespace(**{n: ufl.as_ufl(float(getattr(law, n))) for n in law.parameters})
    for at in TRIED:
        pressure = ufl.variable(ufl.as_ufl(at))
        viscosity = ufl.as_ufl(law.at(pressure, p))
        value, slope = number_of(viscosity), number_of(ufl.diff(viscosity, pressure))
        if not (value > 0 and isfinite(value) and isfinite(slope)):
            raise refusal(
                place_of(type(law).at),
                f"{type(law).__name__}.at gives {value:g} Pa s, with the slope {slope:g} s, at a "
                f"pressure of {at:g} Pa over ambient, but films need a viscosity above 0 and a "
                "finite slope there: read pressures in Pa, and take no roots or fractional powers "
                "of negative ones.",
            )


def warmed(
    law: TemperatureLaw | type[TemperatureLaw], density: Density | type[Density],
    temperature, reference, viscosity, p: SimpleNamespace, d: SimpleNamespace,
):  # fmt: skip
    """Viscosity in Pa s (UFL) that a law of the temperature makes of the one at the reference, for
    the law of the pressure; temperatures in K; ``p``, ``d``: numbers of both laws."""
    numbers = SimpleNamespace(**vars(p), viscosity=viscosity)
    factor = law.factor(temperature, reference, numbers)
    return viscosity * (
        factor * density.warm(temperature - reference, d) if law.kinematic else factor
    )


def lubricant_of(lubricant: Lubricant | float) -> Lubricant:
    """The law itself, or that of a constant viscosity in Pa s."""
    return lubricant if isinstance(lubricant, Lubricant) else Lubricant(lubricant)


@dataclass(frozen=True)
class Barus(Lubricant):
    """Barus (1893): mu = mu_0 exp(alpha p).

    Args:
        alpha: pressure coefficient, 1/Pa.

    Example::

        lubrication.Barus(viscosity=0.04, alpha=2e-8)  # Pa s, 1/Pa
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

    Example::

        lubrication.Roelands(viscosity=0.04, z=0.6)
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
