"""A point of a body (frame j) on the surface of a guide (frame i)."""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ...core.observables import Observable
from ..forms import in_axes
from ..guide import GuideSurface, Plane
from .touch import Placement, Touch


@dataclass(frozen=True)
class OnGuide(Placement):
    """A point on one surface of a guide.

    Args:
        surface: class of the surface's shape.
    """

    surface: type[GuideSurface] = Plane

    @property
    def label(self) -> str:  # type: ignore[override]
        shape = "" if self.surface is Plane else f", {self.surface.__name__}"
        return f"point on a guide{shape}"

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.surface.names()

    def touch(self, kind, c, as_symbol) -> Touch:
        i, j = kind.poses(c)
        where = in_axes(i, j.r - i.r)
        s, rate = as_symbol(where), as_symbol(c.rate(where))
        at = self.surface.touch(c, s, rate)
        return at._replace(work=lambda forces: ufl.dot(forces, c.along(where)))

    def observables(self, kind, c, at, forces):
        return {
            "gap": Observable(-at.depth, "m", "distance of the surfaces, negative in contact"),
            "sliding": Observable(at.sliding[0], "m/s", "sliding velocity along the guide"),
        }
