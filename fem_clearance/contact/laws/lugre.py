"""LuGre's friction law: elastic bristles that break away, with a Stribeck curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import ufl

from ... import checks
from .friction import BristleLaw, check_coefficients, stribeck_curve


@dataclass(frozen=True)
class LuGre(BristleLaw):
    """dz/dt = v - s0 abs(v) z / g(v), friction / normal force = s0 z + s1 dz/dt + s2 v with
    g = mu_d + (mu_s - mu_d) exp(-(v / v_s)^2): Canudas de Wit, Olsson, Astrom and Lischinsky
    (1995), here a unit of normal force.

    Below the break-away force the bristles act as a spring of s0 x normal force; in steady sliding
    the coefficient is g(v) + s2 v. The break-away force depends on how fast the load rises, which
    is a property of the law.

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction.
        v_s: Stribeck speed, m/s.
        stiffness: s0, 1/m.
        damping: s1, s/m.
        viscous: s2, s/m.
        damping_speed: speed in m/s beyond which the damping fades, s1 exp(-(v / damping_speed)^2):
            needed where surfaces meet sliding (joints with clearance), and for friction that never
            drives (Olsson et al. 1998). ``None``: constant, as in the paper of 1995.
        relaxation: rate in 1/s at which bristles recover once the surfaces have parted; default
            s0 / s1, at which free bristles do, or 10 s0 v_s without damping.

    Raises:
        InputError: a value out of range, mu_s below mu_d.

    See docs/laws.md. Example::

        fc.LuGre(mu_s=0.4, mu_d=0.3, v_s=1e-2, stiffness=1e5, damping=300.0)
    """

    mu_s: float
    mu_d: float
    v_s: float = 1e-3
    stiffness: float = 1e5
    damping: float = 0.0
    viscous: float = 0.0
    damping_speed: float | None = None
    relaxation: float | None = None
    parameters: ClassVar[tuple[str, ...]] = (
        "mu_s", "mu_d", "v_s", "stiffness", "damping", "viscous", "fading", "relaxation",
    )  # fmt: skip

    def __post_init__(self):
        check_coefficients(self)
        checks.positive("LuGre.mu_d", self.mu_d)
        checks.positive("LuGre.v_s", self.v_s)
        checks.positive("LuGre.stiffness", self.stiffness)
        checks.non_negative("LuGre.damping", self.damping)
        checks.non_negative("LuGre.viscous", self.viscous)
        if self.damping_speed is not None:
            checks.positive("LuGre.damping_speed", self.damping_speed)
        if self.relaxation is not None:
            checks.positive("LuGre.relaxation", self.relaxation)

    def values(self):
        fading = 0.0 if self.damping_speed is None else 1 / self.damping_speed**2
        free = self.stiffness / self.damping if self.damping else 10 * self.stiffness * self.v_s
        relaxation = self.relaxation or free
        plain = ("mu_s", "mu_d", "v_s", "stiffness", "damping", "viscous")
        numbers = {name: float(getattr(self, name)) for name in plain}
        return {**numbers, "fading": fading, "relaxation": relaxation}

    @staticmethod
    def limit(speed, p):
        """g(v), the coefficient of slow steady sliding."""
        return stribeck_curve(speed, p)

    @classmethod
    def coefficient(cls, speed, p):
        return cls.limit(speed, p) + p.viscous * speed

    @classmethod
    def growth(cls, velocity, z, speed, p):
        return velocity - p.stiffness * speed / cls.limit(speed, p) * z

    @staticmethod
    def drag(z, rate, velocity, p):
        fade = ufl.exp(-p.fading * ufl.inner(velocity, velocity))
        return p.stiffness * z + p.damping * fade * rate + p.viscous * velocity
