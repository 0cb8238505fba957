"""Distance joints: two points at a constant distance, as by a rod without mass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl

from .. import checks
from ..core.blocks import multipliers
from ..core.observables import Observable
from ..core.roles import TRANSLATION
from ..errors import InputError
from ..model.pair import Pair
from .ideal import ConstraintKind, channels, force_on


@dataclass(frozen=True)
class DistanceKind(ConstraintKind):
    """(d . d - L^2) / (2 L) = 0 with d from frame i to frame j; its multiplier is the tension."""

    called = "distance joint"

    @property
    def own_fields(self):
        return {"lam": (1,)}

    @property
    def own_parameters(self):
        return {"distance": ()}

    def work(self, c, i, j):
        lam = c.split(c.q)[2]
        gap, length = j.r - i.r, c.par("distance")
        return lam[0] * (ufl.dot(gap, gap) - length**2) / (2 * length)

    def observables(self, c):
        i, j = self.poses(c, variables=True)
        tension = Observable(c.split(c.q)[2][0], "N", "tension of the rod")
        return {
            "tension": tension,
            **channels("reaction", "N", "force", force_on(self.work(c, i, j), j)),
        }


class DistanceJoint(Pair):
    """Keeps two points at a constant distance.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        distance: m; default the initial one.
        name: for messages and channels.

    Channels: ``tension`` (N), ``reaction.x/y/z`` (N), the force on frame j.

    Raises:
        InputError: a distance that is not positive or not the initial one, points that coincide.

    See docs/ideal_joints.md. Example::

        fc.DistanceJoint(ground.at((0, 0.3, 0)), body.center)
    """

    prefix = label = "distance"
    triads_needed = (False, False)

    def __init__(self, frame_i, frame_j, distance: float | None = None, *, name: str | None = None):
        super().__init__(frame_i, frame_j, name)
        if distance is not None:
            distance = checks.positive(f"{self.who}: distance", distance)
        initial = float(np.linalg.norm(self.gap))
        if initial == 0:
            raise InputError(f"{self.who}: the points coincide; use a SphericalJoint.")
        self.distance = initial if distance is None else distance

    def portrait(self):
        return super().portrait().more(sizes={"length": self.distance})

    def build(self, builder) -> None:
        misfit = float(np.linalg.norm(self.gap)) - self.distance
        if abs(misfit) > 1e-6 * builder.extent():
            raise InputError(
                f"{self.name} cannot close at the start: its points are "
                f"{np.linalg.norm(self.gap):.6g} m apart, not {self.distance:.6g} m."
            )
        kind = DistanceKind(self.i.kind, self.j.kind)
        parameters = kind.pack_pair(
            self.i.parameters(), self.j.parameters(), distance=self.distance
        )
        block = multipliers(self.name, "force", 1, TRANSLATION)
        self.add_to(builder, kind, parameters, [block])
