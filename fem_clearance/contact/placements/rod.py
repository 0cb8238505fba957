"""A slider's hole (frame j) round a rod (frame i), with clearance along the third axis of i."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import ufl

from ...core.observables import Observable
from ..forms import TINY_LENGTH
from .touch import Placement, Touch


@dataclass(frozen=True)
class OnRod(Placement):
    """Contact on both sides of the rod: the depth is |y| - c (Ebrahimi et al. 2017, eq. (3))."""

    label: ClassVar[str] = "slider on a rod"

    parameters: ClassVar[tuple[str, ...]] = ("clearance",)

    def touch(self, kind, c, as_symbol) -> Touch:
        y = displacement(c, kind)
        distance = ufl.sqrt(y[0] ** 2 + TINY_LENGTH**2)
        side = y / distance
        rate = ufl.dot(side, c.rate(y))
        gap = as_symbol(ufl.as_vector([distance - c.par("clearance"), rate]))
        return Touch(
            gap[0], gap[1], side, None, None, lambda forces: ufl.dot(forces, c.along(y)), place=y
        )

    def observables(self, kind, c, at, forces):
        return {"displacement": shown(at.place)}


def displacement(c, kind):
    """Displacement of frame j from frame i along the third axis of frame i, m, a vector (1,)."""
    i, j = kind.poses(c)
    return ufl.as_vector([ufl.dot(j.r - i.r, i.e(3))])


def shown(y) -> Observable:
    """The channel of a displacement."""
    return Observable(y[0], "m", "slider from the rod's centre, along the axis")
