"""Relative pose of two gears.

It is described by four numbers, the components of the line of centres in the planes in which the
gears turn. They do not change in a rigid motion of the whole pair, so that forces in terms of them
conserve momentum and angular momentum for any motion of the centres.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import ufl

from ..model.pair import PairKind
from ..model.turns import turned_since


@dataclass(frozen=True)
class PosedPair(PairKind):
    """A pair of gears and its own coordinates; its parameters ``base_radii``, ``before`` and
    ``closed`` are those of ``GearPairKind``."""

    def centres(self, c) -> tuple:
        """From the pinion's centre to the gear's, m, and both axes of the planes in which pinion
        and gear turn."""
        i, j = self.poses(c)
        return j.r - i.r, [z.e(k) for z in (i, j) for k in (1, 2)]

    def line(self, c):
        """The line of centres in the planes of both gears: x, y in the pinion's, x, y in the
        gear's, m."""
        d, axes = self.centres(c)
        return ufl.as_vector([ufl.dot(d, e) for e in axes])

    def pose_of(self, c, line):
        """The pair's own coordinates: angles of the line of centres in pinion and gear (rad, over
        any number of turns), distance of the centres (m)."""
        before, angles = c.par("before"), []
        for k in (0, 1):
            angles.append(before[k] + turned_since(before[k], line[2 * k], line[2 * k + 1]))
        return ufl.as_vector([*angles, ufl.sqrt(line[0] ** 2 + line[1] ** 2)])

    @staticmethod
    def slopes(x):
        """Derivatives of ``pose_of`` by ``line``, 3 x 4.

        Written by hand, because derivatives of atan2 contain quotients that take three times as
        long to compile. A test compares them with ``ufl.diff``.
        """
        squares = [x[0] ** 2 + x[1] ** 2, x[2] ** 2 + x[3] ** 2]
        distance = ufl.sqrt(squares[0])
        return ufl.as_matrix(
            [
                [-x[1] / squares[0], x[0] / squares[0], 0, 0],
                [0, 0, -x[3] / squares[1], x[2] / squares[1]],
                [x[0] / distance, x[1] / distance, 0, 0],
            ]
        )

    def place(self, c, pose) -> SimpleNamespace:
        """Where the gears stand.

        Returns:
            ``angles``, ``distance`` as in ``pose_of``; ``touch`` (length of the line of action
            between the base circles), ``angle`` (of the line of action), ``turned`` (how far the
            base circles' surfaces have come together), ``opened`` (what the distance of the centres
            leaves of that).
        """
        g, r = SimpleNamespace(angles=[pose[0], pose[1]], distance=pose[2]), c.par("base_radii")
        both = r[0] + r[1]
        g.touch = ufl.sqrt(g.distance**2 - both**2)
        g.angle = ufl.acos(both / g.distance)
        g.turned = -r[0] * g.angles[0] - r[1] * g.angles[1]
        g.opened = both * g.angle - g.touch - c.par("closed")
        return g

    def rates(self, c, pose, change) -> SimpleNamespace:
        """Rates of ``place`` for rates of its pose."""
        x = ufl.variable(pose)
        g = self.place(c, x)
        d = SimpleNamespace(angles=[change[0], change[1]], distance=change[2])
        for name in ("turned", "opened", "angle"):
            setattr(d, name, ufl.dot(ufl.diff(getattr(g, name), x), change))
        return d
