"""Which element a beam is made of."""

from __future__ import annotations

from .. import checks
from ..errors import InputError
from .beam_cable import GeneralCableKind
from .beam_curve import CenterLine
from .beam_fibres import AncfFibreKind, FibreKind, FibreLaw, QuadraticFibreKind
from .beam_kinds import AncfKind, BeamKind, CableKind, DirectorKind, QuadraticKind
from .beam_strain import STRAINS
from .materials import Isotropic, Material, StVenantKirchhoff
from .sections import Section

MODELS = ("quadratic", "ancf", "cable")


def law_of(kind: BeamKind) -> FibreLaw:
    """What the fibres of a beam with directors store."""
    if isinstance(kind, FibreKind):
        return kind.law
    assert isinstance(kind, DirectorKind)
    return FibreLaw(StVenantKirchhoff, kind.poisson == "split", kind.strain)


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


def _check_cable(label: str, poisson, strain, section, material, line):
    if poisson == "full":
        raise InputError(
            f"{label}: a cable has no strains across its section, so poisson='full' "
            "says nothing; use model='ancf' or 'quadratic'."
        )
    checks.choice(f"{label}: poisson", poisson, ("split", None))
    checks.choice(f"{label}: strain", strain, ("biot", None))
    if not isinstance(material, Isotropic):
        raise InputError(
            f"{label}: a cable knows Young's modulus only; use model='quadratic' or 'ancf' with a "
            "material of your own."
        )
    product = section.moment(1, 1)
    if max(abs(section.I_y - section.I_z), abs(product)) > 1e-9 * section.I_y:
        raise InputError(
            f"{label}: a cable bends alike in all directions, but this section has "
            f"second moments {section.I_y:.3g} and {section.I_z:.3g} m^4; use "
            "model='quadratic'."
        )
    try:
        line.plane()
    except ValueError:
        raise InputError(
            f"{label}: a cable that is curved at rest must lie in a plane, since it does not know "
            "how it is turned about its tangent; use model='quadratic'."
        ) from None
