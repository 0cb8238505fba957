"""Hard contact of two elastic solids: pressures at the nodes of one side are unknowns.

The condition of a node is one on the mean gap over its shape function (mortar method), so that a
uniform pressure passes between meshes that do not match. With one unknown lam a node, which is the
pressure where it is positive and the gap G, times -r, where it is negative,

    p = max(0, lam),    int N (g + min(0, lam) / r) dA = 0,

contact is p >= 0, G >= 0, p G = 0: Newton's method finds the set of touching nodes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ufl

from ..laws.normal import indicator
from .hard import Hard, refuse_motion
from .pair_kind import NodalPairKind


@dataclass(frozen=True)
class HardPairKind(NodalPairKind):
    """Two facets and the pressure at the nodes of the first."""

    law: Any = Hard

    @property
    def label(self):
        return f"hard {super().label}"

    @property
    def nodal(self):
        return [*super().nodal, self.cutting.nodes[0]]

    @staticmethod
    def presses(c) -> list[Any]:
        """1 for nodes in contact, else 0."""
        return [indicator(ufl.gt(z, 0)) for z in c.split(c.q)[2]]

    def touches(self, c, at):
        return self.at_point(c, 0, self.presses(c))

    def pressure(self, c, at):
        own = c.split(c.q)[2]
        return self.at_point(c, 0, [s * own[k] for k, s in enumerate(self.presses(c))])

    def residual(self, c):
        own, tests = c.split(c.q)[2], c.split(c.test)[2]
        depth, r = self.touch(c).depth, c.par("law.r")
        # in m times m^2; this sign makes the tangent of nodes in contact symmetric
        rows = [depth - (1 - s) * own[k] / r for k, s in enumerate(self.presses(c))]
        idle = [-own[k] / r for k in range(self.cutting.nodes[0])]
        return super().residual(c) + self.weighed(c, rows, tests, idle)

    def update(self, parameters, observed):
        refuse_motion(observed)
        super().update(parameters, observed)
