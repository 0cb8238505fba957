"""Hysteretic laws K depth^n (1 + chi rate / approach) beyond the two of ``normal``, and one with a
damping of its own.

The first ones differ in chi(e) alone. What they return is not e but the solution e' of
chi (1 + e') = ln((1 + chi) / (1 - chi e')), docs/laws.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ... import checks
from ...errors import InputError
from .normal import Hertz, Hysteretic, power


@dataclass(frozen=True)
class HerbertMcWhannell(Hysteretic):
    """Herbert and McWhannell (1977): chi = 6 (1 - e) / ((2 e - 1)^2 + 3).

    Arguments and errors: see ``HuntCrossley``.

    See docs/laws.md. Example::

        fc.HerbertMcWhannell(restitution=0.7)
    """

    def hysteresis(self):
        return 6 * (1 - self.restitution) / ((2 * self.restitution - 1) ** 2 + 3)


@dataclass(frozen=True)
class LeeWang(Hysteretic):
    """Lee and Wang (1983): chi = 3 (1 - e) / 4.

    Arguments and errors: see ``HuntCrossley``.

    See docs/laws.md. Example::

        fc.LeeWang(restitution=0.7)
    """

    def hysteresis(self):
        return 0.75 * (1 - self.restitution)


@dataclass(frozen=True)
class ZhiyingQishao(Hysteretic):
    """Zhiying and Qishao (2006); Bai et al. (2014) eq. (11): chi = 3/4 (1 - e^2) exp(2 (1 - e)).

    Arguments and errors: see ``HuntCrossley``.

    See docs/laws.md. Example::

        fc.ZhiyingQishao(restitution=0.7)
    """

    def hysteresis(self):
        return 0.75 * (1 - self.restitution**2) * float(np.exp(2 * (1 - self.restitution)))


@dataclass(frozen=True)
class _Inelastic(Hysteretic):
    """Base of laws whose chi grows without bound as e goes to 0."""

    def __post_init__(self):
        super().__post_init__()
        if self.restitution <= 0:
            raise InputError(
                f"{type(self).__name__}.restitution must be positive, because the law divides "
                "by it."
            )


@dataclass(frozen=True)
class Gonthier(_Inelastic):
    """Gonthier, McPhee, Lange and Piedboeuf (2004), first order: chi = (1 - e^2) / e.

    Arguments and errors: see ``HuntCrossley``; ``restitution`` is above 0.

    See docs/laws.md. Example::

        fc.Gonthier(restitution=0.7)
    """

    def hysteresis(self):
        return (1 - self.restitution**2) / self.restitution


@dataclass(frozen=True)
class Flores2011(_Inelastic):
    """Flores, Machado, Silva and Martins (2011): chi = 8 (1 - e) / (5 e).

    Arguments and errors: see ``HuntCrossley``; ``restitution`` is above 0.

    See docs/laws.md. Example::

        fc.Flores2011(restitution=0.7)
    """

    def hysteresis(self):
        return 1.6 * (1 - self.restitution) / self.restitution


@dataclass(frozen=True)
class HuGuo(_Inelastic):
    """Hu and Guo (2015): chi = 3 (1 - e) / (2 e).

    Arguments and errors: see ``HuntCrossley``; ``restitution`` is above 0.

    See docs/laws.md. Example::

        fc.HuGuo(restitution=0.7)
    """

    def hysteresis(self):
        return 1.5 * (1 - self.restitution) / self.restitution


@dataclass(frozen=True)
class ExactRestitution(_Inelastic):
    """The chi for which the restitution is the given one, by the equation that all these laws obey.

    Arguments and errors: see ``HuntCrossley``; ``restitution`` is above 0.

    See docs/laws.md. Example::

        fc.ExactRestitution(restitution=0.7)
    """

    def hysteresis(self):
        return exact_hysteresis(self.restitution)


def exact_hysteresis(restitution: float) -> float:
    """chi of the law that returns the given restitution e in (0, 1].

    Work of the contact: the integral of w / (1 + chi w) from -e to 1 vanishes.
    """
    from scipy.optimize import brentq  # half a second, seldom needed

    e = restitution
    if e == 1:
        return 0.0
    if e > 0.9:  # the logarithms nearly cancel; the integrand is smooth
        nodes, weights = np.polynomial.legendre.leggauss(20)
        w = (1 - e) / 2 + (1 + e) / 2 * nodes
        return brentq(lambda chi: weights @ (w / (1 + chi * w)), 0.0, 0.5, xtol=1e-17)
    most = 1 - 1e-15  # of chi e, which is 1 to round-off below e = 0.03
    if _excess(most / e, e) < 0:
        return 1 / e
    return brentq(_excess, 0.1 * (1 - e), most / e, args=(e,), xtol=1e-16)


def returned_restitution(chi: float) -> float:
    """Restitution that a law f(depth) (1 + chi rate / approach) returns, chi at least 0."""
    from scipy.optimize import brentq

    if chi < 1e-6:
        return 1 - 2 * chi / 3  # to chi^2
    most = min(1.0, (1 - 1e-15) / chi)
    if _excess(chi, most) < 0:
        return 1 / chi  # to round-off
    return brentq(lambda e: _excess(chi, e), 1e-12, most, xtol=1e-15)


def _excess(chi, e):
    """Zero where e is what chi returns."""
    return np.log1p(chi) - np.log1p(-chi * e) - chi * (1 + e)


@dataclass(frozen=True, kw_only=True)
class KuwabaraKono(Hertz):
    """F = K depth^n + A d(K depth^n)/dt: viscoelastic bodies (Kuwabara and Kono 1987; Brilliantov
    et al. 1996, with n = 3/2).

    The restitution falls with the speed of impact, 1 - 1.15344 x + ... for small
    x = (3/2) A (K/m)^(2/5) v^(1/5) (Schwager and Poeschel 1998). The force is cut at zero before
    the surfaces part.

    Args:
        relaxation_time: A, s.
        exponent: n, between 1 and 3.
        approach_speed: see ``NormalLaw``.

    Raises:
        InputError: a value out of range.

    See docs/laws.md. Example::

        fc.KuwabaraKono(relaxation_time=1e-5)
    """

    exponent: float = 1.5
    relaxation_time: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("K", "n", "A")

    def __post_init__(self):
        super().__post_init__()
        checks.non_negative("KuwabaraKono.relaxation_time", self.relaxation_time)

    def values(self, contact):
        return {**super().values(contact), "A": self.relaxation_time}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * (power(depth, p.n) + p.A * p.n * power(depth, p.n - 1) * rate)
