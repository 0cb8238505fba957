"""Elastic materials."""

from dataclasses import dataclass

from .. import checks
from ..errors import InputError


@dataclass(frozen=True)
class StVenantKirchhoff:
    """Linear relation between Green's strain and the second Piola-Kirchhoff stress.

    Energy density ``lam/2 tr(E)^2 + mu E:E``: large rotations, small strains.

    Args:
        E: Young's modulus, Pa.
        nu: Poisson's ratio, above -1 and below 0.5.
        rho: density, kg/m^3.

    Raises:
        InputError: a value out of range.
    """

    E: float
    nu: float
    rho: float

    def __post_init__(self):
        checks.positive("Young's modulus E", self.E)
        checks.positive("density rho", self.rho)
        nu = checks.number("Poisson's ratio nu", self.nu)
        if not -1 < nu < 0.5:
            raise InputError(f"Poisson's ratio nu must lie above -1 and below 0.5, got {nu:g}.")

    @property
    def mu(self) -> float:
        """Shear modulus, Pa."""
        return self.E / (2 * (1 + self.nu))

    @property
    def lam(self) -> float:
        """Lame's first constant, Pa."""
        return self.E * self.nu / ((1 + self.nu) * (1 - 2 * self.nu))
