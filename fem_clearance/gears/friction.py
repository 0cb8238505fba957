"""Friction between teeth: the coefficient at a pair's point of contact, in UFL.

The direction does not belong to the law: friction opposes the sliding, which reverses at the pitch
point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from types import SimpleNamespace
from typing import ClassVar

import ufl

from .. import checks
from ..user_code import Law
from .geometry import GearMesh

#: b1 to b9 of Xu (2005), Tian et al. (2015) eq. (21)
XU = (
    -8.916465, 1.03303, 1.036077, -0.354068, 2.812084, -0.100601, 0.752755, -0.390958, 0.620305,
)  # fmt: skip


@dataclass(frozen=True)
class ToothFriction(Law):
    """Base of the laws: friction = coefficient x normal force of the pair, against the sliding.

    Args:
        smoothing: width of the reversal at the pitch point, in base pitches: tanh of the distance
            over the width; 0: a plain change of sign.

    Raises:
        InputError: a negative smoothing.

    Example::

        @dataclass(frozen=True)
        class Sliding(extend.ToothFriction):
            mu: float
            parameters = ("mu",)

            @staticmethod
            def coefficient(contact, p):
                slip = abs(contact.u1 - contact.u2)
                return p.mu * slip / (slip + 0.1)  # m/s

        gears.GearPair(pinion.center, gear.center, (0, 0, 1), mesh=mesh,
                       stiffness=gears.ConstantStiffness(5e8), friction=Sliding(0.08))
    """

    scalars: ClassVar[tuple[str, ...]] = ("coefficient",)
    needed: ClassVar[tuple[str, ...]] = ("coefficient",)

    smoothing: float = field(default=0.0, kw_only=True)
    parameters: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self):
        checks.non_negative(f"{type(self).__name__}.smoothing", self.smoothing)

    def values(self, mesh: GearMesh, load: float) -> dict[str, float]:
        """Numbers of the law for given gears and a nominal force of the mesh in N."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def coefficient(contact: SimpleNamespace, p: SimpleNamespace):
        """Coefficient of friction.

        Args:
            contact: ``u1``, ``u2``: speeds of pinion and gear across the line of action, m/s;
                ``x1``, ``x2``: radii of curvature, m; ``share``: the pair's part of the load.
            p: the law's numbers.
        """
        raise TypeError("a friction law of teeth defines coefficient()")


@dataclass(frozen=True)
class ConstantFriction(ToothFriction):
    """Coulomb's law, Tian et al. (2015) eq. (20) for each pair (docs/errata.md).

    Args:
        mu: coefficient of friction.
        smoothing: see ``ToothFriction``.

    Raises:
        InputError: a value out of range.

    See docs/gears.md. Example::

        gears.ConstantFriction(0.1)
    """

    mu: float
    parameters: ClassVar[tuple[str, ...]] = ("mu",)

    def __post_init__(self):
        super().__post_init__()
        checks.non_negative("ConstantFriction.mu", self.mu)

    @staticmethod
    def coefficient(contact, p):
        return p.mu


def xu_coefficient(slide_ratio, pressure, viscosity, roughness, entrainment, radius, maths=ufl):
    """Xu's fit to calculations of lubricated teeth, Tian et al. (2015) eq. (21).

    Args:
        slide_ratio: sliding over entrainment speed, without sign.
        pressure: largest of Hertz's contact, GPa.
        viscosity: cP.
        roughness: rms of both surfaces, um.
        entrainment: mean of the surfaces' speeds, m/s.
        radius: effective radius of curvature, m.
        maths: module with ``exp`` and ``ln``, for numbers or UFL.
    """
    b1, b2, b3, b4, b5, b6, b7, b8, b9 = XU
    decades = slide_ratio * pressure * (maths.ln(viscosity) / 2.302585092994046)
    f = b1 + b4 * decades + b5 * maths.exp(-decades) + b9 * maths.exp(roughness)
    powers = pressure**b2 * slide_ratio**b3 * entrainment**b6 * viscosity**b7 * radius**b8
    return maths.exp(f) * powers


@dataclass(frozen=True)
class EHDFriction(ToothFriction):
    """The coefficient under elastohydrodynamic lubrication: Xu et al. (2007).

    The units of the fit (GPa, cP, um, m/s, m) are converted here. Its pressure is that of the
    pair's share of the nominal load. At speeds far below 1 m/s the fit is extrapolated.

    Args:
        viscosity: of the oil, Pa s.
        roughness: rms of both surfaces, m.
        E, nu: of the teeth, Pa.
        smoothing: see ``ToothFriction``.

    Raises:
        InputError: a value out of range.

    See docs/gears.md. Example::

        gears.EHDFriction(viscosity=0.01, roughness=7e-8)
    """

    viscosity: float = 0.01
    roughness: float = 7e-8
    E: float = 2.069e11
    nu: float = 0.3
    parameters: ClassVar[tuple[str, ...]] = ("centipoise", "micrometres", "hertz")

    def __post_init__(self):
        super().__post_init__()
        for name in ("viscosity", "roughness", "E"):
            checks.positive(f"EHDFriction.{name}", getattr(self, name))
        checks.within("EHDFriction.nu", self.nu, 0.0, 0.5)

    def values(self, mesh, load):
        modulus = self.E / (2 * (1 - self.nu**2))
        return {
            "centipoise": 1e3 * self.viscosity,
            "micrometres": 1e6 * self.roughness,
            "hertz": 1e-18 * load * modulus / (pi * mesh.face_width),  # GPa^2 m
        }

    @staticmethod
    def coefficient(contact, p):
        entrainment = abs(contact.u1 + contact.u2) / 2 + 1e-12
        # away from 0, where the power has no derivative
        ratio = ufl.sqrt((contact.u1 - contact.u2) ** 2 + 1e-24) / entrainment
        radius = contact.x1 * contact.x2 / (contact.x1 + contact.x2)
        pressure = ufl.sqrt(abs(p.hertz * contact.share / radius) + 1e-12)
        return xu_coefficient(ratio, pressure, p.centipoise, p.micrometres, entrainment, radius)
