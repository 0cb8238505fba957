"""A bushing by full matrices of stiffness and damping, which couple all directions."""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ..core.mixins import SmallDistance
from ..core.observables import Observable
from ..model.pair import PairKind

#: sin^2 of half the angle below which the angle by its sine is taken from its series
SMALL = 0.06
#: terms of that series: the first one left out is 1e-13 of the sum
TERMS = 10


def rotation_vector(i, j):
    """Rotation of frame j from frame i as axis times angle (below pi), in the axes of i, rad.

    With R the relative rotation, the axial vector of (R - R') / 2 is axis times sin(angle) and
    x = sin(angle / 2)^2 = (3 - tr R) / 4; near zero

        angle / sin(angle) = sum of 4^n (n!)^2 / (2n + 1)! x^n.
    """
    # R_ab = e_a of i . e_b of j
    R = [[ufl.dot(i.e(a), j.e(b)) for b in (1, 2, 3)] for a in (1, 2, 3)]
    axial = ufl.as_vector([(R[(k + 2) % 3][(k + 1) % 3] - R[(k + 1) % 3][(k + 2) % 3]) / 2
                           for k in range(3)])  # fmt: skip
    trace = R[0][0] + R[1][1] + R[2][2]
    x = (3 - trace) / 4
    near, coefficient = ufl.as_ufl(0.0), 1.0
    for n in range(TERMS):
        near += coefficient * x**n
        coefficient *= 4 * (n + 1) ** 2 / ((2 * n + 2) * (2 * n + 3))
    small = ufl.conditional(ufl.lt(x, SMALL), 1.0, 0.0)
    # a factor, not a conditional round the vector (see contact's ``indicator``); where the series
    # holds the other must stay finite
    sine = ufl.sqrt((1 - small) * ufl.dot(axial, axial) + small)
    return (small * near + (1 - small) * ufl.atan2(sine, (trace - 1) / 2) / sine) * axial


@dataclass(frozen=True)
class FullBushingKind(PairKind, SmallDistance):
    """Virtual work (K x + C dx/dt) . dx on x = displacement and rotation of frame j from their
    values without force, in the axes of frame i.

    Args:
        feeding: whether K is not symmetric or C not dissipative: then it may give energy.
    """

    called = "bushing"

    feeding: bool = False

    @property
    def feeds_energy(self):  # type: ignore[override]
        return self.feeding

    @property
    def own_parameters(self):
        return {"stiffness": (6, 6), "damping": (6, 6), "free": (3,)}

    def coordinates(self, c):
        """Displacement, m, and rotation, rad."""
        i, j = self.poses(c)
        gap, free = j.r - i.r, c.par("free")
        turn = rotation_vector(i, j)
        shift = [ufl.dot(gap, i.e(n + 1)) - free[n] for n in range(3)]
        return ufl.as_vector([*shift, *(turn[n] for n in range(3))])

    @staticmethod
    def force(c, x, rate):
        """With which it resists, N and N m."""
        return ufl.dot(c.par("stiffness"), x) + ufl.dot(c.par("damping"), rate)

    def residual(self, c):
        x = self.coordinates(c)
        return ufl.dot(self.force(c, c.shared(x), c.shared(c.rate(x))), c.along(x)) * c.dx()

    def observables(self, c):
        x = self.coordinates(c)
        rate = c.rate(x)
        force = self.force(c, x, rate)
        names = (("force", "N"), ("moment", "N m"))
        shown = {
            f"{name}{n + 1}": Observable(
                -force[3 * k + n], unit, f"{name} on frame j along axis {n + 1}"
            )
            for k, (name, unit) in enumerate(names) for n in range(3)
        }  # fmt: skip
        stored = ufl.dot(x, ufl.dot(c.par("stiffness"), x)) / 2
        loss = ufl.dot(rate, ufl.dot(c.par("damping"), rate))
        return shown | {
            # of a stiffness that is not symmetric there is no potential
            "energy": Observable(
                stored, "J", "energy of the springs", "" if self.feeding else "energy.strain"
            ),
            "loss": Observable(loss, "W", "power lost in the dampers"),
        }
