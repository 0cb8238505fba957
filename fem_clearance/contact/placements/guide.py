"""A point of a body (frame j) on the surface of a guide (frame i).

``s``: the point's three coordinates in the guide, along its axis, along its width, and across. The
surface on ``side`` (1 above, -1 below) of the guide's middle plane is at the height H(s_1, s_2)
above it; the penetration is

    depth = (side s_3 - H) / sqrt(1 + |grad H|^2)

(exact for flat surfaces, of first order in depth x curvature for others).
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ...core.observables import Observable
from ..forms import across, in_axes, law_symbols
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
        return ("side", "half", *(f"surface.{n}" for n in self.surface.parameters))

    def touch(self, kind, c, as_symbol) -> Touch:
        i, j = kind.poses(c)
        where = in_axes(i, j.r - i.r)
        s, rate = as_symbol(where), as_symbol(c.rate(where))
        at = surface_touch(c, self.surface, s, rate)
        return at._replace(work=lambda forces: ufl.dot(forces, c.along(where)))

    def observables(self, kind, c, at, forces, loss):
        return {
            "gap": Observable(-at.depth, "m", "distance of the surfaces, negative in contact"),
            "sliding": Observable(at.sliding[0], "m/s", "sliding velocity along the guide"),
            "friction_loss": loss._replace(description="power of friction"),
        }


def surface_touch(c, surface: type[GuideSurface], s, rate) -> Touch:
    """A point at ``s`` that moves at ``rate`` in the guide, on the surface of a cell whose numbers
    are ``side``, ``half`` (of the guide's height, m) and those of the ``surface``'s shape."""
    side, half = c.par("side"), c.par("half")
    if issubclass(surface, Plane):  # the same, in forms of a fraction of the size
        normal, along = ufl.as_vector([0, 0, side]), ufl.as_vector([rate[0], rate[1], 0])
        return Touch(side * s[2] - half, side * rate[2], normal, normal, along, place=s)
    x = ufl.variable(s)
    height = side * x[2] - half - surface.height(x[0], x[1], law_symbols(c, surface, "surface"))
    slope = ufl.diff(height, x)
    size = ufl.sqrt(ufl.dot(slope, slope))
    depth = height / size
    normal = slope / size
    # but for depth x curvature the normal: with it, energy is kept
    gradient = ufl.diff(depth, x)
    return Touch(depth, ufl.dot(gradient, rate), gradient, normal, across(rate, normal), place=s)
