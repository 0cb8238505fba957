"""Points whose distance from a guide's surfaces is watched, without forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.component import Cell
from ..core.observables import Observable
from ..errors import InputError
from ..model.frame import Frame
from ..model.pair import resolve
from ..timestepping.gaps import WATCHED, watched
from .clearance import watched_depth
from .guide import GuideKind, GuideSurface, Plane
from .laws.normal import indicator
from .translational import SIDES, checked_surfaces, guide_numbers, guide_triad


@dataclass(frozen=True)
class GuideProbeKind(GuideKind):
    """Observes how a point lies on a surface of the guide."""

    gap_force = gap_energy = ""

    @property
    def label(self):
        return f"point watched in a guide ({self.i.label}, {self.j.label})"

    @property
    def own_parameters(self):
        shape = (f"surface.{n}" for n in self.surface.parameters)
        return dict.fromkeys((*WATCHED, *self.geometry, *shape), ())

    def residual(self, c):
        return None

    def observables(self, c):
        s = self.place(c)
        at = self.touch(c, s, c.rate(s))
        depth = indicator(ufl.gt(at.depth, 0)) * at.depth
        return {
            "gap": Observable(-at.depth, "m", "distance of the surfaces, negative in contact"),
            "penetration": Observable(depth, "m", "penetration"),
            **watched_depth(c, at.depth, at.rate),
        }


class GuideProbe:
    """Watches points of a body in a guide: their gaps, and the instants at which they touch it.

    Args:
        guide: frame on the guide's middle line, or the ground.
        points: name -> (side, frame), as ``{"upper_rear": ("upper", slider.at((0, 0.025, 0)))}``.
        axis, across, gap, surfaces: of the guide, as in ``TranslationalClearance``.
        name: for messages and channels.

    Channels: ``<name>.<point>.gap`` and ``.penetration`` (m).

    Raises:
        InputError: a side that is none, surfaces that cross.
    """

    prefix, label = "guide_probe", "guide probe"

    def __init__(
        self,
        guide,
        points: Mapping[str, tuple[str, Frame]],
        axis: ArrayLike | None = None,
        across: ArrayLike | None = None,
        *,
        gap: float,
        surfaces: GuideSurface | Sequence[GuideSurface] = (),
        name: str | None = None,
    ):
        self.name = name
        who = name or self.label
        self.triad = guide_triad(who, axis, across)
        self.gap = checks.positive(f"{who}: gap", gap)
        if not points:
            raise InputError(f"{who} needs points, as {{'corner': ('upper', slider.at(...))}}.")
        self.points = {}
        for point, (side, frame) in points.items():
            i, j = resolve(guide, frame, who)
            i.needs_triad(who)
            checks.file_name(f"{who}: the name of a point", point)
            self.points[point] = checks.choice(f"{who}: side of {point}", side, SIDES), i, j
        self.surfaces = checked_surfaces(who, surfaces or (Plane(), Plane()), self.gap)

    def build(self, system) -> None:
        for point, (side, i, j) in self.points.items():
            surface = self.surfaces[side]
            kind = GuideProbeKind(i.kind, j.kind, surface=type(surface))
            numbers = kind.pack_pair(
                i.parameters(self.triad), j.parameters(), **watched(1e-3),
                **guide_numbers(surface, SIDES[side], self.gap / 2),
            )  # fmt: skip
            system.add_cell(kind, Cell(f"{self.name}.{point}", [*i.refs, *j.refs], numbers))
