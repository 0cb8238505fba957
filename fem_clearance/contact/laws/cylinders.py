"""Normal laws for a journal in a bearing: cylinders of nearly equal radii.

All of them are F = f(depth) (1 + chi rate / approach) with an elastic part f of its own: ``gap`` is
the difference of the radii, ``scale`` the length times the composite modulus E*. So the restitution
depends on chi alone. Comparison, validity and sources: docs/laws.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import ufl

from ... import checks
from ...errors import InputError
from .hysteresis import ZhiyingQishao
from .normal import Hysteretic, LankaraniNikravesh, NormalLaw, indicator, power

#: depth by gap below which nothing is resolved; keeps roots and logarithms finite
TINY = 1e-24


@dataclass(frozen=True)
class CylinderLaw(NormalLaw):
    """Base: a subclass defines ``elastic``, the force without damping.

    Args:
        restitution: coefficient that ``hysteresis`` turns into chi; 1 for an elastic contact.
        hysteresis: class of the law whose chi is taken.
        approach_speed: see ``NormalLaw``.

    Raises:
        InputError: a restitution out of range, a hysteresis that is no class of a law.

    Example::

        class Layer(fc.CylinderLaw):
            # f = E* L depth: a bearing lined with a thin elastic layer

            @staticmethod
            def elastic(depth, p):
                return p.scale * depth

        fc.RevoluteClearance(ground, body.center, (0, 0, 1), bearing_radius=0.01,
                             journal_radius=0.0095, length=0.03, materials=(steel, steel),
                             normal=Layer(restitution=0.8))
    """

    restitution: float = 0.9
    hysteresis: type[Hysteretic] = LankaraniNikravesh
    parameters: ClassVar[tuple[str, ...]] = ("scale", "gap", "chi")
    scalars: ClassVar[tuple[str, ...]] = ("force", "energy", "elastic")

    def __post_init__(self):
        who = type(self).__name__
        checks.within(f"{who}.restitution", self.restitution, 0.0, 1.0)
        if not (isinstance(self.hysteresis, type) and issubclass(self.hysteresis, Hysteretic)):
            raise InputError(
                f"{who}: hysteresis must be the class of a law such as LankaraniNikravesh, got "
                f"{self.hysteresis!r}."
            )

    def values(self, contact):
        return {
            "scale": contact.length * contact.modulus,
            "gap": contact.clearance,
            "chi": self.hysteresis(restitution=self.restitution).hysteresis(),
        }

    @staticmethod
    def elastic(depth, p):
        """Force in N at rest."""
        raise TypeError("a law for cylinders defines elastic()")

    @classmethod
    def force(cls, depth, rate, approach, p):
        return cls.elastic(depth, p) * (1 + p.chi * rate / approach)


@dataclass(frozen=True)
class Liu(CylinderLaw):
    """f = pi/2 E* L depth sqrt(depth / (2 (gap + depth))): Liu, Zhang and Yang (2007).

    Args:
        restitution, hysteresis, approach_speed: see ``CylinderLaw``.

    Raises:
        InputError: see ``CylinderLaw``; when added to a joint, one without length or materials.

    See docs/laws.md. Example::

        fc.Liu(restitution=0.9)
    """

    @staticmethod
    def elastic(depth, p):
        d = abs(depth)
        return ufl.pi / 2 * p.scale * d * ufl.sqrt((d + TINY * p.gap) / (2 * (p.gap + d)))

    @staticmethod
    def energy(depth, p):
        d, R = abs(depth), p.gap
        x = ufl.sqrt(d / R + TINY)
        bow = ufl.ln(x + ufl.sqrt(1 + x**2))  # asinh
        root = ufl.sqrt(d * (R + d) + (TINY * R) ** 2)
        integral = root * (d / 2 - 3 * R / 4) + 3 * R**2 / 4 * bow
        return ufl.pi / 2 * p.scale / np.sqrt(2) * integral


@dataclass(frozen=True)
class BaiZhao(Liu):
    """Hybrid law of Bai and Zhao (2012); Bai et al. (2014) eqs. (8)-(11), corrected.

    The printed stiffness K_n, eq. (9), is the slope of Liu's law per unit length; the consistent
    force is Liu's itself, with chi = 3 (1 - e^2) exp(2 (1 - e)) / 4. See ``bai_zhao`` for the other
    readings of the paper and docs/errata.md for the reason.

    Args:
        restitution, hysteresis, approach_speed: see ``CylinderLaw``.

    Raises:
        InputError: see ``CylinderLaw``; when added to a joint, one without length or materials.

    See docs/laws.md. Example::

        fc.BaiZhao(restitution=0.9)
    """

    hysteresis: type[Hysteretic] = ZhiyingQishao


@dataclass(frozen=True)
class _PrintedBaiZhao(BaiZhao):
    """Readings of eq. (8) that take K_n(depth) as it stands."""

    @staticmethod
    def slope(depth, p):
        """K_n of eq. (9) times the length, N/m: derivative of Liu's force."""
        d = abs(depth)
        return (
            ufl.pi
            / 8
            * p.scale
            * ufl.sqrt(2 * (d + TINY * p.gap) * (3 * p.gap + 2 * d) ** 2 / (p.gap + d) ** 3)
        )


@dataclass(frozen=True)
class BaiZhaoLinear(_PrintedBaiZhao):
    """F = L K_n(depth) depth (1 + ...): eq. (8) with n = 1; 3/2 of ``BaiZhao`` at small depths."""

    @classmethod
    def elastic(cls, depth, p):
        return cls.slope(depth, p) * abs(depth)

    @classmethod
    def energy(cls, depth, p):
        return abs(depth) * Liu.elastic(depth, p) - Liu.energy(depth, p)


@dataclass(frozen=True)
class BaiZhaoPrinted(_PrintedBaiZhao):
    """F = K_n(depth) depth^1.5 (1 + ...): eq. (8) to the letter with n = 1.5, no length, in SI
    numbers. Its units do not agree; it serves to compare with the paper."""

    def values(self, contact):
        return {**super().values(contact), "scale": contact.modulus}

    @classmethod
    def elastic(cls, depth, p):
        return cls.slope(depth, p) * power(depth, 1.5)

    @classmethod
    def energy(cls, depth, p):
        d, R = abs(depth), p.gap
        u = R + d
        rest = ufl.sqrt(u) * (2 * u**2 / 5 - 4 * R * u / 3 + 2 * R**2) - 16 / 15 * R**2.5
        return power(depth, 1.5) * Liu.elastic(depth, p) - (
            1.5 * ufl.pi / 2 * p.scale / np.sqrt(2) * rest
        )


READINGS = {"corr": BaiZhao, "n1": BaiZhaoLinear, "lit15": BaiZhaoPrinted}


def bai_zhao(
    reading: str = "corr", restitution: float = 0.9, *, approach_speed: str = "phase"
) -> BaiZhao:
    """The hybrid law of Bai et al. (2014) as eqs. (8)-(11) can be read.

    Args:
        reading: ``"corr"``, Liu's force (consistent); ``"n1"``, L K_n depth; ``"lit15"``,
            K_n depth^1.5 in SI numbers, to the letter.
        restitution: coefficient c_e.
        approach_speed: see ``NormalLaw``.

    Example::

        fc.bai_zhao("corr", restitution=0.46)
    """
    checks.choice("reading of the Bai-Zhao law", reading, READINGS)
    return READINGS[reading](restitution=restitution, approach_speed=approach_speed)


@dataclass(frozen=True)
class _Logarithmic(CylinderLaw):
    """depth = u (ln(4 gap / u) + offset) with u = F / (pi E* L), solved for F.

    With m = depth / u it reads m exp(-m) = y, y = depth exp(-offset) / (4 gap): m is minus the
    lower branch of Lambert's W function of -y, found by three Newton steps from a close guess
    (bounds of Chatzigeorgiou 2013), which leaves round-off. The depth has a largest value, at
    m = 1, where the formula ends: from m = 3/2 on, the force goes on along its tangent.
    """

    parameters: ClassVar[tuple[str, ...]] = ("scale", "gap", "chi", "offset")
    offset: ClassVar[float] = 0.0

    def values(self, contact):
        return {**super().values(contact), "offset": self.offset}

    @staticmethod
    def largest(p):
        """Depth at m = 3/2, m."""
        return 4 * p.gap * ufl.exp(p.offset) * 1.5 * np.exp(-1.5)

    @classmethod
    def ratio(cls, depth, p):
        """m = pi E* L depth / F, at least 3/2."""
        y = (abs(depth) + TINY * p.gap) * ufl.exp(-p.offset) / (4 * p.gap)
        excess = -ufl.ln(_at_most(y, 1.5 * np.exp(-1.5))) - 1
        m = 1 + ufl.sqrt(2 * excess) + 0.75 * excess
        for _ in range(3):
            m = m * (excess + ufl.ln(m)) / (m - 1)
        return m

    @classmethod
    def elastic(cls, depth, p):
        within = _at_most(abs(depth), cls.largest(p))
        beyond = abs(depth) - within
        return ufl.pi * p.scale * (within / cls.ratio(depth, p) + beyond / 0.5)

    @classmethod
    def energy(cls, depth, p):
        within = _at_most(abs(depth), cls.largest(p))
        u, beyond = within / cls.ratio(depth, p), abs(depth) - within
        return ufl.pi * p.scale * (u * (within - u / 2) / 2 + u * beyond + beyond**2)


def _at_most(x, limit):
    """The smaller of both, by factors."""
    small = indicator(ufl.lt(x, limit))
    return small * x + (1 - small) * limit


@dataclass(frozen=True)
class Johnson(_Logarithmic):
    """depth = F / (pi E* L) (ln(4 pi E* L gap / F) - 1): Johnson (1985); Pereira et al. (2011).

    Valid up to a depth of 0.49 gap; beyond, the force continues along its tangent.

    Args:
        restitution, hysteresis, approach_speed: see ``CylinderLaw``.

    Raises:
        InputError: see ``CylinderLaw``; when added to a joint, one without length or materials.

    See docs/laws.md. Example::

        fc.Johnson(restitution=0.8, hysteresis=fc.Flores2011)
    """

    offset: ClassVar[float] = -1.0


@dataclass(frozen=True)
class ESDU78035(_Logarithmic):
    """depth = F (K_i + K_j) / L (ln(4 L gap / (F (K_i + K_j))) + 1), K = (1 - nu^2)/(pi E): ESDU
    item 78035, as quoted by Flores et al. (2006) and Pereira et al. (2011).

    Valid up to a depth of 3.6 gap; beyond, the force continues along its tangent.

    Args:
        restitution, hysteresis, approach_speed: see ``CylinderLaw``.

    Raises:
        InputError: see ``CylinderLaw``; when added to a joint, one without length or materials.

    See docs/laws.md. Example::

        fc.ESDU78035(restitution=0.9)
    """

    offset: ClassVar[float] = 1.0


@dataclass(frozen=True)
class Pereira(CylinderLaw):
    """f = (a gap + b) L E* / gap depth^n in N, mm and MPa: Pereira, Ramalho and Ambrosio (2015),
    internal contact, a fit of Johnson's law.

    a = 0.965, b = 0.0965, n = Y gap^-0.005 with Y = 1.51 ln(1000 gap)^-0.151 for gaps below 0.34954
    mm and 0.0151 gap + 1.151 above.

    Args:
        restitution, hysteresis, approach_speed: see ``CylinderLaw``.

    Raises:
        InputError: a difference of the radii outside 0.005 to 10 mm.

    See docs/laws.md. Example::

        fc.Pereira(restitution=0.9)
    """

    parameters: ClassVar[tuple[str, ...]] = ("K", "n", "chi")

    def values(self, contact):
        gap = 1e3 * contact.clearance
        if not 0.005 <= gap < 10:
            raise InputError(
                f"{contact.who}: Pereira's law is valid for differences of the radii from "
                f"0.005 to 10 mm, but here the difference is {gap:.4g} mm; use another law, "
                "such as Johnson()."
            )
        fine = gap < 0.34954
        Y = 1.51 * np.log(1e3 * gap) ** -0.151 if fine else 0.0151 * gap + 1.151
        n = Y * gap**-0.005
        K = (0.965 * gap + 0.0965) * 1e3 * contact.length * 1e-6 * contact.modulus / gap
        return {"K": float(K * 1e3**n), "n": float(n), "chi": super().values(contact)["chi"]}

    @staticmethod
    def elastic(depth, p):
        return p.K * power(depth, p.n)

    @staticmethod
    def energy(depth, p):
        return p.K * power(depth, p.n + 1) / (p.n + 1)
