"""Cavitation models: where Reynolds' equation gives pressures below ambient.

Each model says which pressure acts on the surfaces and what it adds to Reynolds' equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import ufl

from ...contact.laws.normal import indicator
from ...user_code import Law

#: least part of a gap that is filled with oil where its heat is asked for
EMPTY = 0.05


@dataclass(frozen=True)
class Cavitation(Law):
    """Base: a full film, which pulls (Sommerfeld)."""

    scalars: ClassVar[tuple[str, ...]] = ("acting", "function", "wetted", "heating")

    #: further unknown a node: what must flow in from nowhere to keep the pressure at zero
    complementary = False
    #: it counts at its own node only, by a known factor
    nodal = False
    #: that unknown is the thickness of the void in the film, m, which is carried along
    conserving = False

    @staticmethod
    def acting(p):
        """Factor of the pressure that acts on the surfaces."""
        return 1.0

    @staticmethod
    def function(p, r):
        """Zero where p >= 0, r >= 0 and p r = 0 (both dimensionless)."""
        raise TypeError("a model with a complementary unknown defines function()")

    @staticmethod
    def wetted(void, h):
        """Part of the surfaces that the film's shear acts on."""
        return 1.0

    @staticmethod
    def heating(void, h):
        """Heat of shear that the oil of a broken film gets, by that of a filled one."""
        return 1.0


class Full(Cavitation):
    """No cavitation: the film carries any tension.

    Example::

        lubrication.plain_bearing(15e-3, 30e-3, 50e-6, lubrication.Lubricant(0.04),
                                  cavitation=lubrication.Full())
    """


class Guembel(Cavitation):
    """Pressures below zero are computed but do not act (half Sommerfeld)."""

    @staticmethod
    def acting(p):
        return indicator(ufl.gt(p, 0))


class Reynolds(Cavitation):
    """Swift and Stieber: p >= 0 and dp/dn = 0 where the film breaks; a complementarity problem at
    the nodes. Does not conserve mass.

    Newton's method on the lesser of p and r settles where the film is broken in a few iterations:
    the primal-dual active set strategy (Hintermueller, Ito and Kunisch 2002). Fischer and
    Burmeister's smoother function takes one or two more, at times twice as many.

    Example::

        lubrication.plain_bearing(15e-3, 30e-3, 50e-6, lubrication.Lubricant(0.04),
                                  cavitation=lubrication.Reynolds())
    """

    complementary = True
    nodal = True

    @staticmethod
    def function(p, r):
        """Zero where p >= 0, r >= 0 and p r = 0 (both dimensionless)."""
        return r + indicator(ufl.lt(p, r)) * (p - r)


class JFO(Reynolds):
    """Cavitation that conserves the lubricant through rupture and reformation, steady or in time:
    Jakobsson, Floberg and Olsson; Elrod and Adams. See docs/cavitation.md.

    Where p = 0 the film fills a part theta = 1 - g/h of the gap; with the void's thickness g::

        d(h - g)/dt + div((h - g) U/2 - h^3/(12 mu) grad p) = 0,   p >= 0, g >= 0, p g = 0

    The void is transported upwind. In time the content changes by what flows, to round-off,
    whatever the step (backward Euler). The surfaces are wetted everywhere; see ``Streamers``.
    """

    nodal = False
    conserving = True

    @staticmethod
    def function(p, r):
        """Fischer and Burmeister's: by the lesser of both the front of a film that carries its void
        along moves back by a node an iteration."""
        return p + r - ufl.sqrt(p**2 + r**2 + 1e-24)

    @staticmethod
    def heating(void, h):
        """All of the shear heats the part theta of the gap that is filled, of which ``EMPTY`` is
        left at least."""
        filled = 1 - void / h
        return 1 / (filled + indicator(ufl.lt(filled, EMPTY)) * (EMPTY - filled))


class Streamers(JFO):
    """``JFO`` with a film that touches both surfaces in streamers: shear acts on the filled part
    theta of the area."""

    @staticmethod
    def wetted(void, h):
        return 1 - void / h

    @staticmethod
    def heating(void, h):
        return 1.0
