"""A contact law expanded about the penetration at rest: Ebrahimi et al. (2017), eqs. (7), (8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ... import checks
from ...errors import InputError
from .normal import Hertz, LankaraniNikravesh, NormalLaw


@dataclass(frozen=True)
class Taylor(NormalLaw):
    """A law K depth^n (1 + chi rate / approach) with depth^n as a series about ``Delta``.

    ``Delta`` = (load / K)^(1/n) is the penetration at which the spring carries the load. Spring and
    damper get the same series. Near the surface it differs from the law it expands: it neither
    vanishes there (the force jumps when contact begins) nor stays positive (two terms give
    (1 - n) K Delta^n), and it is not cut, as in the paper. Use the classes with a number of terms.

    Args:
        law: ``Hertz``, ``LankaraniNikravesh`` or ``HuntCrossley``.
        load: force in N that the contact carries at rest.
        approach_speed: see ``NormalLaw``.

    Raises:
        InputError: another law, a load that is not positive.
    """

    law: Hertz = field(default_factory=LankaraniNikravesh)
    load: float = 1.0
    parameters: ClassVar[tuple[str, ...]] = ("K", "n", "chi", "Delta")
    jumps: ClassVar[bool] = True
    pulls: ClassVar[bool] = True

    def __post_init__(self):
        who = type(self).__name__
        if not isinstance(self.law, Hertz):
            raise InputError(
                f"{who}: law must be Hertz(), LankaraniNikravesh() or HuntCrossley(), "
                f"got {self.law!r}."
            )
        checks.positive(f"{who}.load", self.load)

    def values(self, contact):
        numbers = {"chi": 0.0, **self.law.values(contact)}
        return {**numbers, "Delta": (self.load / numbers["K"]) ** (1 / numbers["n"])}

    @staticmethod
    def series(x, n):
        """(1 + x)^n cut after some terms, x = depth / Delta - 1."""
        raise TypeError("a Taylor law defines series()")

    @staticmethod
    def integral(x, n):
        """Integral of the series from 0 to x."""
        raise TypeError("a Taylor law defines integral()")

    @classmethod
    def force(cls, depth, rate, approach, p):
        spring = p.K * p.Delta**p.n * cls.series(depth / p.Delta - 1, p.n)
        return spring * (1 + p.chi * rate / approach)

    @classmethod
    def energy(cls, depth, p):
        work = cls.integral(depth / p.Delta - 1, p.n) - cls.integral(-1.0, p.n)
        return p.K * p.Delta ** (p.n + 1) * work


@dataclass(frozen=True)
class TaylorTwoTerms(Taylor):
    """Linear about the penetration at rest: 1 + n x. Arguments and errors: see ``Taylor``.

    See docs/multiple_scales.md. Example::

        fc.TaylorTwoTerms(fc.LankaraniNikravesh(restitution=0.9), load=500.0)
    """

    @staticmethod
    def series(x, n):
        return 1 + n * x

    @staticmethod
    def integral(x, n):
        return x + n / 2 * x**2


@dataclass(frozen=True)
class TaylorThreeTerms(Taylor):
    """Quadratic about the penetration at rest: 1 + n x + n (n - 1) x^2 / 2.

    Arguments and errors: see ``Taylor``.

    See docs/multiple_scales.md. Example::

        fc.TaylorThreeTerms(fc.LankaraniNikravesh(restitution=0.9), load=500.0)
    """

    @staticmethod
    def series(x, n):
        return 1 + n * x + n * (n - 1) / 2 * x**2

    @staticmethod
    def integral(x, n):
        return x + n / 2 * x**2 + n * (n - 1) / 6 * x**3
