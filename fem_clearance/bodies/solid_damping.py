"""Damping of solids: viscosities of the material, and a drag on its mass."""

from __future__ import annotations

from dataclasses import dataclass

from .. import checks
from ..errors import InputError
from .materials import Material


@dataclass(frozen=True)
class Damping:
    """Damping of a solid.

    Args:
        retardation: s; viscosities are this times the elastic moduli of small strains
            (Kelvin-Voigt; of a vibration with angular frequency w the damping ratio is w times half
            of it). Rayleigh's beta.
        drag: force against the velocity per mass, 1/s; slows rigid motions too. Rayleigh's alpha.
    """

    retardation: float = 0.0
    drag: float = 0.0

    def __post_init__(self):
        checks.non_negative("Damping.retardation", self.retardation)
        checks.non_negative("Damping.drag", self.drag)

    def values(self, who: str, material: Material) -> dict[str, float]:
        """Numbers of ``SolidKind``: shear and bulk viscosity, Pa s, and drag, 1/s.

        Raises:
            InputError: a material without Lame constants, for a retardation.
        """
        result = {"shear_viscosity": 0.0, "bulk_viscosity": 0.0, "drag": self.drag}
        if self.retardation:
            for name, modulus in (("shear_viscosity", "mu"), ("bulk_viscosity", "lam")):
                if not hasattr(material, modulus):
                    raise InputError(
                        f"{who}: damping with a retardation time needs a material with the "
                        f"attributes mu and lam (Pa), its Lame constants at small strain."
                    )
                result[name] = self.retardation * getattr(material, modulus)
        return result
