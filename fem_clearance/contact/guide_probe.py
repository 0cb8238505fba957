"""Points whose distance from a guide's surfaces is watched, without forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from .. import checks
from ..core.component import Cell
from ..core.mixins import ContactGap
from ..core.observables import Observable
from ..errors import InputError
from ..markup import Shown
from ..model.frame import Frame
from ..model.pair import PairKind, resolve
from ..model.portrait import Portrait
from ..timestepping.gaps import WATCHED, watched
from .forms import identity, touching
from .guide import SIDES, Guide, GuideSurface, Plane
from .kind import ContactKind, watched_depth
from .placements.guide import OnGuide


@dataclass(frozen=True)
class GuideProbeKind(PairKind, ContactGap):
    """Observes how a point lies on a surface of the guide."""

    placement: OnGuide = OnGuide()

    gap: ClassVar[tuple[str, ...]] = ContactKind.gap

    @property
    def label(self):
        return f"point watched in a guide ({self.i.label}, {self.j.label})"

    @property
    def own_parameters(self):
        return dict.fromkeys((*WATCHED, *self.placement.parameters), ())

    def observables(self, c):
        at = self.placement.touch(self, c, identity)
        depth = touching(at.depth) * at.depth
        return {
            "gap": Observable(-at.depth, "m", "distance of the surfaces, negative in contact"),
            "penetration": Observable(depth, "m", "penetration"),
            **watched_depth(c, at.depth, at.rate),
        }


class GuideProbe(Shown):
    """Watches points of a body in a guide: their gaps, and the instants at which they touch it.

    Args:
        guide: frame on the guide's middle line, or the ground.
        points: name -> (side, frame), as ``{"upper_rear": ("upper", slider.at((0, 0.025, 0)))}``.
        axis, across, gap, surfaces: of the guide, as in ``TranslationalClearance``.
        name: for messages and channels.

    Channels: ``<name>.<point>.gap`` and ``.penetration`` (m).

    Raises:
        InputError: a side that is none, surfaces that cross.

    See docs/translational.md. Example::

        fc.GuideProbe(ground, {"corner": ("upper", body.at((0.05, 0.02, 0)))}, (1, 0, 0),
                      (0, 1, 0), gap=0.06)
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
        self.guide = Guide(who, axis, across, gap, surfaces or (Plane(), Plane()))
        example = "{'corner': ('upper', slider.at(...))}"
        given = checks.mapping(f"{who}: points", points, example)
        if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in given.values()):
            raise InputError(f"{who} needs a side and a frame for each point, such as {example}.")
        if not given:
            raise InputError(f"{who} needs points, for example {example}.")
        self.points = {}
        for point, (side, frame) in given.items():
            i, j = resolve(guide, frame, who)
            i.needs_triad(who)
            checks.file_name(f"{who}: the name of a point", point)
            self.points[point] = checks.choice(f"{who}: side of {point}", side, SIDES), i, j

    def portrait(self) -> Portrait:
        _, i, j = next(iter(self.points.values()))
        data = {**self.guide.portrait(i), "points": list(self.points)}
        return Portrait("guide_probe", i, j, self.guide.triad[:, 0], {"gap": self.guide.gap}, data)

    def build(self, builder) -> None:
        for point, (side, i, j) in self.points.items():
            kind = GuideProbeKind(i.kind, j.kind, OnGuide(self.guide.shape(side)))
            numbers = kind.pack_pair(
                i.parameters(self.guide.triad), j.parameters(), **watched(1e-3),
                **self.guide.numbers(side),
            )  # fmt: skip
            builder.add_cell(kind, Cell(f"{self.name}.{point}", [*i.refs, *j.refs], numbers))
