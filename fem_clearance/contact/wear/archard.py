"""Archard's law: how much surfaces lose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import checks


@dataclass(frozen=True)
class Archard:
    """Archard's law: worn depth = k p s / H for pressure p over a sliding distance s.

    Bai, Zhang and Sun (2014) eqs. (14)-(16). Works on numbers and arrays, for any surface that has
    its pressure and sliding.

    Args:
        coefficient: k, without dimension.
        hardness: H of the softer material, Pa.

    Raises:
        InputError: a hardness that is not positive, a negative coefficient.

    See docs/wear.md. Example::

        fc.Archard(1.736e-4, 2.17e9)
    """

    coefficient: float
    hardness: float

    def __post_init__(self):
        checks.non_negative("Archard.coefficient", self.coefficient)
        checks.positive("Archard.hardness", self.hardness)

    @property
    def rate(self) -> float:
        """k / H, depth by pressure and sliding distance, 1/Pa."""
        return self.coefficient / self.hardness

    def depth(self, pressure, sliding):
        """Worn depth in m for a pressure in Pa over a distance in m."""
        return self.rate * pressure * sliding


def half_width(force, radius_i: float, radius_j: float, scale: float):
    """Hertz's half width of the contact of a journal in a bearing, m; ``scale``: length x E*."""
    radius = radius_i * radius_j / (radius_i - radius_j)
    return np.sqrt(4 * np.maximum(force, 0.0) * radius / (np.pi * scale))
