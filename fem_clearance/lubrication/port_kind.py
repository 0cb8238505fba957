"""Ports: what a film sees of its two bodies, and how its force reaches them.

All in the housing's frame D (axes D_k, origin r_H); the journal has the centre r_J and the axis
d_3::

    e_k = D_k . (r_J - r_H),  t_k = D_k . d_3            definitions, without reaction
    W = (V, Omega) = (de/dt, D_k . (omega_J - omega_H))  a definition whose multiplier is F
    F = dL/dW, force and moment on the journal           reaches both bodies as virtual power

W is algebraic: it is read from the velocities, not integrated, so that power balances exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl
from ufl import as_vector, dot

from ..component import Observable
from ..joints.pair import PairKind


@dataclass(frozen=True)
class PortKind(PairKind):
    """Frame i is the housing, frame j the journal (its third axis is the shaft's)."""

    @property
    def own_fields(self):
        return {"e": (3,), "t": (2,), "W": (6,), "F": (6,)}

    @property
    def own_parameters(self):
        return {"length": (), "lean": ()}

    def _place(self, c):
        housing, journal = self.poses(c)
        arm = journal.r - housing.r
        e = as_vector([dot(housing.e(k), arm) for k in (1, 2, 3)])
        t = as_vector([dot(housing.e(k), journal.e(3)) for k in (1, 2)])
        return housing, journal, e, t

    def _motion(self, c, housing, journal, e):
        turning = journal.omega - housing.omega
        rates = c.rate(e)
        return as_vector([*(rates[k] for k in range(3)),
                          *(dot(housing.e(k), turning) for k in (1, 2, 3))])  # fmt: skip

    def residual(self, c):
        *_, e, t, W, F = c.split(c.q)
        *_, e_test, t_test, W_test, F_test = c.split(c.test)
        housing, journal, place, lean = self._place(c)
        motion = c.shared(self._motion(c, housing, journal, place))
        form = dot(F, W_test - c.power(self._motion(c, housing, journal, place)))
        form -= dot(F_test, motion - W)
        # dimensionless rows once scaled by the unknowns' units
        form += dot(e - c.shared(place), e_test) / c.par("length") ** 2
        form += dot(t - c.shared(lean), t_test) / c.par("lean") ** 2
        return form * c.dx()

    def observables(self, c):
        *_, e, t, W, F = c.split(c.q)
        eccentricity = ufl.sqrt(e[0] ** 2 + e[1] ** 2)
        result = {"eccentricity": Observable(eccentricity, "m", "distance of the centres")}
        for k, x in enumerate("xyz"):
            result[f"e{x}"] = Observable(e[k], "m", f"{x} of the journal's centre, in the housing")
            result[f"force.{x}"] = Observable(F[k], "N", f"{x} of the force on the journal")
            result[f"moment.{x}"] = Observable(F[3 + k], "N m", f"{x} of the moment on it")
        return result
