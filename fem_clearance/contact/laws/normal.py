"""Normal contact forces: one class a law, its force one UFL expression.

A law of the family F = f(depth) (1 + chi rate / approach) returns the restitution e that solves
chi (1 + e) = ln((1 + chi) / (1 - chi e)), whatever f, the masses and the speed, if ``approach`` is
the speed of the blow; which speed that is in a contact that lasts, ``NormalLaw.approach_speed``
says. See docs/contact.md.

To add a law: subclass ``NormalLaw``, name the numbers it reads in ``parameters``, give their values
and the force. Nothing else changes; the tangent is derived.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

import ufl
from ufl.corealg.traversal import unique_pre_traversal

from ... import checks
from ...user_code import Law
from .pair_data import ContactGeometry

#: what the hysteresis of a law is measured by, the default first
APPROACH_SPEEDS = ("phase", "first_touch")


@dataclass(frozen=True)
class NormalLaw(Law):
    """Base of the laws.

    ``force`` and ``energy`` are called with UFL scalars: ``depth`` (m, positive in contact),
    ``rate`` (its time derivative, m/s), ``approach`` (the approach speed, m/s) and the numbers
    named in ``parameters`` as attributes of ``p``. The force in N counts only where depth > 0 and
    is cut at zero (surfaces do not pull), but must be a finite number for every depth: ``power``
    is.

    Args:
        approach_speed: what ``approach`` is. ``"phase"``: the largest size of the rate in the
            present phase of the contact (compression or restitution) and in the one before, so that
            a blow on a contact that lasts returns what a first impact does. ``"first_touch"``: the
            rate when the contact began, for as long as it lasts, as the papers have it.

    Raises:
        InputError: an unknown ``approach_speed``, when a joint is given the law.
    """

    scalars: ClassVar[tuple[str, ...]] = ("force", "energy")
    needed: ClassVar[tuple[str, ...]] = ("force", "values")

    approach_speed: str = field(default=APPROACH_SPEEDS[0], kw_only=True)

    #: names of the numbers a joint stores for this law
    parameters: ClassVar[tuple[str, ...]] = ()
    #: the force jumps when contact begins (viscous at zero depth)
    jumps: ClassVar[bool] = False
    #: the force may pull while depth > 0: it is not cut at zero
    pulls: ClassVar[bool] = False

    def values(self, contact: ContactGeometry) -> dict[str, float]:
        """Numbers of the law for a contact of the given geometry and materials."""
        raise TypeError(f"{type(self).__name__} gives no values")

    @staticmethod
    def force(depth, rate, approach, p: SimpleNamespace):
        """Normal force in N."""
        raise TypeError("a normal law defines force()")

    @staticmethod
    def energy(depth, p: SimpleNamespace):
        """Elastic energy in J, for the energy balance."""
        return 0.0 * depth


def power(depth, exponent):
    """``depth**exponent`` with a value and a tangent on both sides of zero."""
    return abs(depth) ** exponent


@dataclass(frozen=True)
class Hertz(NormalLaw):
    """Elastic contact F = K depth^n (Hertz 1882, n = 3/2); restitution 1.

    Args:
        exponent: n, between 1 and 3.
        approach_speed: see ``NormalLaw``.

    Raises:
        InputError: a value out of range.

    See docs/contact.md. Example::

        fc.Hertz(exponent=1.5)
    """

    exponent: float = 1.5
    parameters: ClassVar[tuple[str, ...]] = ("K", "n")

    def __post_init__(self):
        checks.within(f"{type(self).__name__}.exponent", self.exponent, 1.0, 3.0)

    def values(self, contact):
        return {"K": contact.stiffness, "n": self.exponent}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, p.n)

    @staticmethod
    def energy(depth, p):
        return p.K * power(depth, p.n + 1) / (p.n + 1)


@dataclass(frozen=True, kw_only=True)
class Hysteretic(Hertz):
    """F = K depth^n (1 + chi rate / approach): laws differ in chi(restitution).

    All arguments are given by name, so that no restitution is read as an exponent.

    Arguments and errors: see ``HuntCrossley``.
    """

    exponent: float = 1.5
    restitution: float = 0.9
    parameters: ClassVar[tuple[str, ...]] = ("K", "n", "chi")

    def __post_init__(self):
        super().__post_init__()
        checks.within(f"{type(self).__name__}.restitution", self.restitution, 0.0, 1.0)

    def hysteresis(self) -> float:
        """Factor chi for the given coefficient of restitution."""
        raise TypeError("a hysteretic law defines hysteresis()")

    def values(self, contact):
        return {**super().values(contact), "chi": self.hysteresis()}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, p.n) * (1 + p.chi * rate / approach)


@dataclass(frozen=True)
class HuntCrossley(Hysteretic):
    """Hunt and Crossley (1975): chi = 3 (1 - e) / 2.

    Args:
        exponent: n, between 1 and 3.
        restitution: e, 0 to 1.
        approach_speed: see ``NormalLaw``.

    Raises:
        InputError: a value out of range.

    See docs/contact.md. Example::

        fc.HuntCrossley(restitution=0.9)
    """

    def hysteresis(self):
        return 1.5 * (1 - self.restitution)


@dataclass(frozen=True)
class LankaraniNikravesh(Hysteretic):
    """Lankarani and Nikravesh (1990); Tian et al. (2009) eq. (17): chi = 3 (1 - e^2) / 4.

    For e = 0.9 the restitution is 0.913, and for small e far larger than e: the law assumes e near
    1.

    Arguments and errors: see ``HuntCrossley``.

    See docs/contact.md. Example::

        fc.LankaraniNikravesh(restitution=0.9)
    """

    def hysteresis(self):
        return 0.75 * (1 - self.restitution**2)


@dataclass(frozen=True)
class KelvinVoigt(NormalLaw):
    """Spring and dashpot in parallel: F = K depth + C rate, in N.

    The force jumps to C times the approach speed when contact begins and is limited to zero before
    the surfaces separate.

    Args:
        damping: C in N s/m.
        stiffness: K in N/m; default: the number derived from geometry and material, read as N/m.
        approach_speed: see ``NormalLaw``.

    Raises:
        InputError: a value out of range.

    See docs/contact.md. Example::

        fc.KelvinVoigt(damping=100.0)
    """

    damping: float = 0.0
    stiffness: float | None = None
    parameters: ClassVar[tuple[str, ...]] = ("K", "C")
    jumps: ClassVar[bool] = True

    def __post_init__(self):
        checks.non_negative("KelvinVoigt.damping", self.damping)
        if self.stiffness is not None:
            checks.positive("KelvinVoigt.stiffness", self.stiffness)

    def values(self, contact):
        return {"K": self.stiffness or contact.stiffness, "C": self.damping}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth + p.C * rate

    @staticmethod
    def energy(depth, p):
        return p.K * depth**2 / 2


def hysteretic(law: type[NormalLaw]) -> bool:
    """Whether the force of a law depends on the approach speed."""
    depth, rate, approach = (ufl.variable(ufl.as_ufl(1.0)) for _ in range(3))
    p = SimpleNamespace(**{n: ufl.variable(ufl.as_ufl(1.0)) for n in law.parameters})
    force = ufl.as_ufl(law.force(depth, rate, approach, p))
    return any(part == approach for part in unique_pre_traversal(force))


def contact_force(law: type[NormalLaw], depth, rate, approach, p):
    """The law's force where the surfaces touch, zero elsewhere; negative only if the law pulls."""
    force = law.force(depth, rate, approach, p)
    touching = ufl.gt(depth, 0)
    return indicator(touching if law.pulls else ufl.And(touching, ufl.gt(force, 0))) * force


def indicator(condition):
    """1 where a UFL condition holds, else 0.

    A factor, not a conditional round the expression: the tangent then has no test functions inside
    conditionals, which compile twenty times slower. What it multiplies must be finite everywhere.

    Example::

        depth = ufl.variable(ufl.as_ufl(1e-5))  # m
        spring = 1e8 * depth * extend.indicator(ufl.gt(depth, 0))
        float(spring(()))  # 1e3 N
    """
    return ufl.conditional(condition, 1.0, 0.0)
