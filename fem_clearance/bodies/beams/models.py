"""Choice of a beam's element, and of its sections' stiffness in shear and torsion."""

from __future__ import annotations

import logging

from ... import checks
from ...errors import InputError
from ..materials import Isotropic, Material, StVenantKirchhoff
from .centre_line import CenterLine
from .elements import AncfKind, BeamKind, CableKind, GeneralCableKind, QuadraticKind
from .fibres import AncfFibreKind, FibreLaw, QuadraticFibreKind
from .section_matrices import MatrixSection
from .sections import Section
from .strain import STRAINS

logger = logging.getLogger(__name__)

MODELS = ("quadratic", "ancf", "cable")
SECTION_MODELS = ("saint_venant", "plane")
#: distance of shear centre and centroid, by the root of the area, that is no round-off of a mesh
ECCENTRIC = 1e-3


def check_parts(label: str, section, material, model: str, options: dict) -> None:
    """Check section and material, and refuse options of materials together with section matrices.

    Raises:
        InputError: of the first of them.
    """
    if isinstance(section, MatrixSection):
        given = [name for name, value in options.items() if value is not None]
        given = ["material"] * (material is not None) + given
        if given or model != "quadratic":
            what = given[0] if given else f"model={model!r}"
            raise InputError(
                f"{label}: SectionMatrices state the whole stiffness and mass of the section; "
                f"leave out {what}."
            )
        return
    for what, value, kind, example in (
        ("section", section, Section, "Rectangle(0.02, 0.02)"),
        ("material", material, Material, "StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)"),
    ):
        if not isinstance(value, kind):
            raise InputError(f"{label}: {what} must be a {what} such as {example}, got {value!r}.")


def choose(
    label: str, model: str, poisson, strain, section: Section, material: Material,
    line: CenterLine, uniform: bool, twisted: bool, factors: dict[str, float],
) -> BeamKind:  # fmt: skip
    """The kind of a beam's elements: the fast ones for straight beams of symmetric section, else
    the general ones.

    Raises:
        InputError: options that do not go together.
    """
    if model == "cable":
        _check_cable(label, poisson, strain, section, material, line)
        return CableKind() if line.straight and uniform else GeneralCableKind()
    law = _law(label, poisson, strain, material)
    if not law.split and any(x != 1 for x in factors.values()):
        raise InputError(
            f"{label}: shear and torsion_constant change the law poisson='split' only; leave them "
            "out, or use StVenantKirchhoff with poisson='split'."
        )
    plain = line.straight and not twisted and section.symmetric
    plain = plain and law.material is StVenantKirchhoff
    if plain and (uniform or model == "quadratic"):
        fast = QuadraticKind if model == "quadratic" else AncfKind
        return fast("split" if law.split else "full", law.strain)
    return QuadraticFibreKind(law) if model == "quadratic" else AncfFibreKind(law)


def _law(label: str, poisson, strain, material: Material) -> FibreLaw:
    kind = type(material)
    plain = kind is StVenantKirchhoff
    if poisson is None:
        poisson = "split" if plain else "full"
    checks.choice(f"{label}: poisson", poisson, ("split", "full"))
    if poisson == "split" and not plain:
        raise InputError(
            f"{label}: poisson='split' is defined for StVenantKirchhoff only; a material with its "
            "own energy, such as this one, is taken as it is with poisson='full'."
        )
    if strain is None:
        strain = "biot" if poisson == "split" else "green"
    checks.choice(f"{label}: strain", strain, STRAINS)
    if poisson == "full" and strain == "biot":
        raise InputError(f"{label}: strain='biot' goes with poisson='split' only.")
    return FibreLaw(kind, poisson == "split", strain)


def warping_free(label: str, model: str, poisson, section_model, material: Material) -> bool | None:
    """Whether sections warp freely (``section_model="saint_venant"``); ``None``: no model was
    given, and they do if their shape is known.

    Raises:
        InputError: an unknown section model, or one that the law of the beam does not have.
    """
    able = model != "cable" and poisson != "full" and type(material) is StVenantKirchhoff
    if section_model is None:
        return None if able else False
    checks.choice(f"{label}: section_model", section_model, SECTION_MODELS)
    if section_model == "saint_venant" and not able:
        raise InputError(
            f"{label}: section_model='saint_venant' changes the law poisson='split' of "
            "StVenantKirchhoff, not of cables; leave it out, or take section_model='plane'."
        )
    return section_model == "saint_venant"


def stiffness_factors(
    label: str, section: Section, material: Material, warps: bool | None, shear, torsion_constant
) -> dict[str, float]:
    """Factors of the shear and torsional stiffness of sections that stay plane, see
    ``strain.FACTORS``.

    Args:
        warps: see ``warping_free``.
        shear, torsion_constant: given by the user, or ``None``.
    """
    polar = section.I_y + section.I_z
    ky, kz, constant = 1.0, 1.0, polar
    if warps is not False and (shear is None or torsion_constant is None):
        try:
            constant = section.saint_venant
            ky, kz = section.shear_factors(material.nu)  # type: ignore[attr-defined]
            _say_eccentric(label, section)
        except InputError as error:
            if warps:
                raise InputError(f"{label}: {error}") from None
            logger.warning(
                "%s: its sections remain plane, which is far too stiff in torsion unless they are "
                "round: %s",
                label, error,
            )  # fmt: skip
    if shear is not None:
        ky, kz = (checks.positive(f"{label}: shear factor", k)
                  for k in checks.vector(f"{label}: shear", shear, 2))  # fmt: skip
    if torsion_constant is not None:
        constant = checks.positive(f"{label}: torsion_constant", torsion_constant)
    return {"shear_y": ky, "shear_z": kz, "torsion": constant / polar}


def _say_eccentric(label: str, section: Section) -> None:
    y, z = section.shear_centre
    if abs(y) + abs(z) > ECCENTRIC * section.area**0.5:
        logger.warning(
            "%s: shear forces through the centroid twist this section, whose shear centre lies at "
            "y = %.3g m, z = %.3g m; the beam neglects this twist, so use a Solid if it matters.",
            label, y, z,
        )  # fmt: skip


def _check_cable(label: str, poisson, strain, section, material, line):
    if poisson == "full":
        raise InputError(
            f"{label}: a cable has no strains across its section, so poisson='full' "
            "has no effect; use model='ancf' or 'quadratic'."
        )
    checks.choice(f"{label}: poisson", poisson, ("split", None))
    checks.choice(f"{label}: strain", strain, ("biot", None))
    if not isinstance(material, Isotropic):
        raise InputError(
            f"{label}: a cable depends on Young's modulus only; use model='quadratic' or 'ancf' "
            "with a material of your own."
        )
    product = section.moment(1, 1)
    if max(abs(section.I_y - section.I_z), abs(product)) > 1e-9 * section.I_y:
        raise InputError(
            f"{label}: a cable has equal bending stiffness in all directions, but this section has "
            f"second moments {section.I_y:.3g} and {section.I_z:.3g} m^4; use "
            "model='quadratic'."
        )
    try:
        line.plane()
    except ValueError:
        raise InputError(
            f"{label}: a cable that is curved at rest must lie in a plane, because it does not "
            "know its rotation about its tangent; use model='quadratic'."
        ) from None
