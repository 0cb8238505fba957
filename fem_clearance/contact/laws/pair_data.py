"""What a clearance joint tells its laws of itself: radii, length, materials, stiffness."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import checks
from ...errors import InputError

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ContactGeometry:
    """A convex body (ball, journal) inside a concave one (socket, bearing).

    Laws read it in ``values``. A quantity that the joint does not know raises an ``InputError``
    that says what to give.

    Args:
        who: the joint, for messages.
        radius_i, radius_j: of the concave and of the convex body, m.
        materials: of both, with attributes ``E`` (Pa) and ``nu``; ``None`` where not known (one
            that is missing is taken to be the other's).
        axial_length: length of a cylinder, m; ``None`` for spheres.
        given_stiffness: contact stiffness that the user gave, N/m^n of the law.
        radii: see ``sphere_stiffness``.

    Raises:
        InputError: a size or stiffness that is not positive; a quantity that a law needs and that
            was not given.
    """

    who: str
    radius_i: float
    radius_j: float
    materials: tuple[Any, ...] = (None, None)
    axial_length: float | None = None
    given_stiffness: float | None = None
    radii: str = "difference"

    def __post_init__(self):
        checks.positive(f"{self.who}: radius", self.radius_i)
        checks.positive(f"{self.who}: radius", self.radius_j)
        checks.choice(f"{self.who}: radii", self.radii, ("difference", "sum"))
        if self.axial_length is not None:
            checks.positive(f"{self.who}: length", self.axial_length)
        if self.given_stiffness is not None:
            checks.positive(f"{self.who}: stiffness", self.given_stiffness)

    @property
    def clearance(self) -> float:
        """Difference of the radii, m."""
        return self.radius_i - self.radius_j

    @property
    def length(self) -> float:
        """Axial length of the contact of two cylinders, m."""
        if self.axial_length is None:
            raise InputError(
                f"{self.who}: this normal-force law is for cylinders, but the joint has no "
                "length; use it in a revolute or cylindrical clearance joint with length=."
            )
        return self.axial_length

    @property
    def pair(self) -> tuple[Any, Any]:
        """Both materials."""
        first, second = self.materials
        if first is None and second is None:
            raise InputError(
                f"{self.who}: neither body has a material; give materials=(..., ...), or "
                "stiffness= if the law needs only a stiffness."
            )
        found = first or second, second or first
        for material in found:
            if not checks.offers(material, "E", "nu"):
                raise InputError(
                    f"{self.who}: contact needs materials with E (Pa) and nu, or stiffness=, got "
                    f"{checks.shown(material)}."
                )
        return found

    @property
    def modulus(self) -> float:
        """Composite modulus E*, Pa: 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j."""
        return 1 / sum((1 - m.nu**2) / m.E for m in self.pair)

    @property
    def stiffness(self) -> float:
        """Stiffness K of a law F = K depth^n: the one given, else Hertz's for spheres of these
        radii, N/m^1.5 (for cylinders too, as is the custom in the literature on clearances; it
        does not know their length, which is said)."""
        if self.given_stiffness is not None:
            return self.given_stiffness
        if self.axial_length is not None:
            logger.warning(
                "%s: the stiffness of this law is Hertz's for spheres and does not depend on "
                "the length of the cylinders; use a law for cylinders, such as Liu(), or give "
                "stiffness=.",
                self.who,
            )
        return sphere_stiffness(self.radius_i, self.radius_j, *self.pair, self.radii)


def checked_materials(who: str, given: Any) -> tuple[Any, Any] | None:
    """Two materials that a user gives, or ``None``.

    Raises:
        InputError: something else.
    """
    if given is None:
        return None
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InputError(
            f"{who}: materials must be two, such as (steel, bronze), got {checks.shown(given)}."
        )
    return given[0], given[1]


def check_fit(who: str, bodies: tuple[str, str], radius_i: float, radius_j: float) -> None:
    """Refuse radii (m) of the outer and the inner one of two ``bodies`` that leave no clearance."""
    outer, inner = bodies
    checks.positive(f"{who}: {outer}_radius", radius_i)
    checks.positive(f"{who}: {inner}_radius", radius_j)
    if radius_j >= radius_i:
        raise InputError(
            f"{who}: the {inner} (radius {radius_j:g} m) does not fit into the {outer} "
            f"(radius {radius_i:g} m); the clearance must be positive."
        )


def sphere_stiffness(
    radius_i: float, radius_j: float, material_i, material_j, radii="difference"
) -> float:
    """Hertz's stiffness of a ball in a socket, N/m^1.5: Tian et al. (2009) eq. (18), corrected.

    Args:
        radius_i, radius_j: socket and ball, m.
        material_i, material_j: with attributes ``E`` (Pa) and ``nu``.
        radii: ``"difference"`` for a ball inside a socket (Hertz); ``"sum"`` as the paper prints
            it, which is the formula for two convex spheres.

    Raises:
        InputError: a ball that does not fit, or only without clearance.
    """
    if radii == "difference":
        check_fit("sphere_stiffness", ("socket", "ball"), radius_i, radius_j)
    eta = sum((1 - m.nu**2) / m.E for m in (material_i, material_j))
    joined = radius_i - radius_j if radii == "difference" else radius_i + radius_j
    return float(4 / (3 * eta) * np.sqrt(radius_i * radius_j / joined))
