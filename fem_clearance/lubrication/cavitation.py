"""Cavitation: what happens where Reynolds' equation asks for pressures below ambient.

Each model says which pressure acts on the surfaces and what it adds to Reynolds' equation.
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ..contact.normal import indicator


@dataclass(frozen=True)
class Cavitation:
    """Base: a full film, which pulls (Sommerfeld)."""

    #: further unknown a node: what must flow in from nowhere to keep the pressure at zero
    complementary = False

    @staticmethod
    def acting(p):
        """Factor of the pressure that acts on the surfaces."""
        return 1.0


class Full(Cavitation):
    """No cavitation: the film bears any tension."""


class Guembel(Cavitation):
    """Pressures below zero are computed but do not act (half Sommerfeld)."""

    @staticmethod
    def acting(p):
        return indicator(ufl.gt(p, 0))


class Reynolds(Cavitation):
    """Swift and Stieber: p >= 0 and dp/dn = 0 where the film breaks; a complementarity problem,
    solved by Fischer and Burmeister's function at the nodes. Does not conserve mass."""

    complementary = True

    @staticmethod
    def function(p, r):
        """Zero where p >= 0, r >= 0 and p r = 0 (both dimensionless)."""
        return p + r - ufl.sqrt(p**2 + r**2 + 1e-24)
