"""How a journal sits in its bearing, as channels."""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ..core.observables import Observable
from ..model.pair import PairKind
from .forms import centre_offsets
from .laws.normal import indicator
from .placements.axial import coordinates, crossing, larger, local, off_axis, overlap


@dataclass(frozen=True)
class JournalPoseKind(PairKind):
    """How the journal sits in the bearing: observes only.

    Args:
        deepest: whether it tells the largest penetration of round surfaces.
    """

    called = "place of a journal"

    deepest: bool = True

    @property
    def own_parameters(self):
        return dict.fromkeys(("clearance", "bearing_half", "journal_half"), ())

    def observables(self, c):
        i, j = self.poses(c)
        e, b, _ = local(coordinates(i, j, False))
        low, high = overlap(c, e, b)
        middle, first, last = (off_axis(*crossing(e, b, z)[1:]) for z in (0 * low, low, high))
        # the distance of a line is convex: it is largest at an end
        deepest = larger(0 * low, larger(first, last) - c.par("clearance"))
        deepest = indicator(ufl.gt(high, low)) * deepest
        tilt = ufl.atan2(off_axis(b[0], b[1]), b[2])
        shown = {
            "eccentricity": Observable(middle, "m", "distance of the axes in the bearing's middle"),
            "penetration": Observable(deepest, "m", "penetration where it is largest, at an end"),
            "tilt": Observable(tilt, "rad", "angle of the axes"),
            "shift": Observable(e[2], "m", "journal's centre along the bearing's axis"),
            "overlap": Observable(high - low, "m", "length of journal inside the bearing"),
            **centre_offsets(i, j, "journal", "bearing"),
        }
        if not self.deepest:
            shown.pop("penetration")
        return shown
