"""Elastic materials, one class for each law, with the strain energy as a UFL expression of the
deformation gradient; and the damping of bodies made of them.

To add a law, subclass ``Material``, name the numbers that it reads in ``parameters``, and define
the energy. Nothing else changes; stress and tangent are derived.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import ufl

from .. import checks
from ..errors import InputError
from ..user_code import Law
from .given import extremes, is_function

logger = logging.getLogger(__name__)


def _plain(value):
    """A number, or an array as it is."""
    return value if getattr(value, "ndim", 0) else float(value)


#: Pa, kg/m^3: a modulus below the first with a density above the second is probably a mistake of
#: units
SOFTEST, DENSE = 1e5, 2000.0


@dataclass(frozen=True)
class Material(Law):
    """Base of the laws.

    ``energy`` is called with the deformation gradient ``F`` (a UFL 3 x 3 tensor) and the numbers
    named in ``parameters`` as attributes of ``p``; each of them is an attribute of the material.

    For a solid on a mesh of DOLFINx, a number may be a Function.

    Args:
        rho: density of the undeformed material, kg/m^3.

    Raises:
        InputError: a density that is not positive, the base itself.
    """

    scalars: ClassVar[tuple[str, ...]] = ("energy",)
    needed: ClassVar[tuple[str, ...]] = ("energy",)

    rho: float

    #: names of the numbers a body stores for this law
    parameters: ClassVar[tuple[str, ...]] = ()
    #: whether it is one of small displacements, so that cells need not be kept from turning inside
    #: out (det F <= 0)
    small_displacements: ClassVar[bool] = False

    def __post_init__(self):
        if type(self) is Material:
            raise InputError(
                "Material is the base of the laws: use StVenantKirchhoff(E=2.1e11, nu=0.3, "
                "rho=7850), NeoHookean or LinearElastic, or a subclass that defines energy()."
            )
        for rho in extremes(self.rho):
            checks.positive("density rho", rho)

    def values(self) -> dict[str, float]:
        """Numbers of the law."""
        return {name: _plain(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def energy(F, p: SimpleNamespace):
        """Strain energy per undeformed volume, J/m^3."""
        raise TypeError("a material defines energy()")


@dataclass(frozen=True)
class Isotropic(Material):
    """An isotropic material given by its elastic constants at small strains.

    Args:
        E: Young's modulus, Pa.
        nu: Poisson's ratio, above -1 and below 0.5.
        rho: density, kg/m^3.

    Raises:
        InputError: a value out of range.
    """

    E: float
    nu: float
    parameters: ClassVar[tuple[str, ...]] = ("lam", "mu")

    def __init__(self, E: float, nu: float, rho: float):
        for name, value in (("E", E), ("nu", nu), ("rho", rho)):
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self):
        for E in extremes(self.E):
            checks.positive("Young's modulus E", E)
        super().__post_init__()
        for value in extremes(self.nu):
            nu = checks.number("Poisson's ratio nu", value)
            if not -1 < nu < 0.5:
                raise InputError(f"Poisson's ratio nu must lie above -1 and below 0.5, got {nu:g}.")
        varies = any(map(is_function, (self.E, self.rho)))
        if not varies and self.E < SOFTEST and self.rho > DENSE:
            logger.warning(
                "%s: Young's modulus E = %g Pa with the density rho = %g kg/m^3 is softer than "
                "rubber at the weight of a metal; are both in SI units (steel: E=2.1e11, "
                "rho=7850)?", type(self).__name__, self.E, self.rho,
            )  # fmt: skip

    @property
    def mu(self) -> float:
        """Shear modulus, Pa."""
        return self.E / (2 * (1 + self.nu))

    @property
    def lam(self) -> float:
        """Lame's first constant, Pa."""
        return self.E * self.nu / ((1 + self.nu) * (1 - 2 * self.nu))


class StVenantKirchhoff(Isotropic):
    """Linear relation between Green's strain and the second Piola-Kirchhoff stress.

    Energy density ``lam/2 tr(E)^2 + mu E:E``: large rotations, small strains.

    Arguments and errors: see ``Isotropic``.
    """

    @staticmethod
    def energy(F, p):
        E = (F.T * F - ufl.Identity(3)) / 2
        return p.lam / 2 * ufl.tr(E) ** 2 + p.mu * ufl.inner(E, E)


class NeoHookean(Isotropic):
    """Compressible neo-Hookean solid: large rotations and strains.

    Energy density ``mu/2 (tr(F^T F) - 3) - mu ln J + lam/2 (ln J)^2``, J = det F (Bonet and Wood
    2008, eq. 6.27).

    Arguments and errors: see ``Isotropic``.

    Example::

        fc.NeoHookean(E=5e6, nu=0.45, rho=1100)  # a rubber
    """

    @staticmethod
    def energy(F, p):
        log = ufl.ln(ufl.det(F))
        return p.mu / 2 * (ufl.inner(F, F) - 3) - p.mu * log + p.lam / 2 * log**2


class LinearElastic(Isotropic):
    """Hooke's law in the small-strain tensor sym(F) - I: small displacements **and rotations**; a
    body that turns is strained by its rotation. Energy density ``lam/2 tr(e)^2 + mu e:e``.

    Arguments and errors: see ``Isotropic``.
    """

    small_displacements = True

    @staticmethod
    def energy(F, p):
        e = (F + F.T) / 2 - ufl.Identity(3)
        return p.lam / 2 * ufl.tr(e) ** 2 + p.mu * ufl.inner(e, e)


@dataclass(frozen=True)
class Damping:
    """Damping of a solid or a beam: viscosities of the material, and a drag on its mass.

    Args:
        retardation: s; viscosities are this times the elastic moduli of small strains
            (Kelvin-Voigt; of a vibration with angular frequency w the damping ratio is w times half
            of it). Rayleigh's beta.
        drag: force against the velocity per mass, 1/s; slows rigid motions too. Rayleigh's alpha.

    Raises:
        InputError: a negative number.

    Example::

        fc.Solid(fc.meshes.block((0.1, 0.02, 0.02), (4, 1, 1)), steel, clamped="x0",
                 damping=fc.Damping(retardation=1e-5, drag=20.0))
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
