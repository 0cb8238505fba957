"""A bushing: springs and dampers along the three axes of a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.observables import Observable
from ..errors import InputError
from ..model.pair import Pair, PairKind


@dataclass(frozen=True)
class BushingKind(PairKind):
    """V = sum of k_n u_n^2 / 2 and damping forces c_n du_n/dt along the axes e_n of frame i, with
    u_n = (r_j - r_i) . e_n less its value without force."""

    feeds_energy = False

    @property
    def own_parameters(self):
        return {"stiffness": (3,), "damping": (3,), "free": (3,)}

    def shifts(self, c):
        """u of the three axes."""
        i, j = self.poses(c)
        return [ufl.dot(j.r - i.r, i.e(n + 1)) - c.par("free")[n] for n in range(3)]

    def forces(self, c, shifts):
        """With which the bushing resists along each axis."""
        stiffness, damping = c.par("stiffness"), c.par("damping")
        return [stiffness[n] * u + damping[n] * c.rate(u) for n, u in enumerate(shifts)]

    def residual(self, c):
        shifts = self.shifts(c)
        forces = self.forces(c, shifts)
        return sum(f * c.along(u) for f, u in zip(forces, shifts, strict=True)) * c.dx()

    def observables(self, c):
        shifts, damping = self.shifts(c), c.par("damping")
        energy = sum(c.par("stiffness")[n] / 2 * u**2 for n, u in enumerate(shifts))
        loss = sum(damping[n] * c.rate(u) ** 2 for n, u in enumerate(shifts))
        forces = {
            f"force{n + 1}": Observable(-f, "N", f"on frame j along axis {n + 1}")
            for n, f in enumerate(self.forces(c, shifts))
        }
        return {
            **forces,
            "energy": Observable(energy, "J", "energy of the springs", "energy.strain"),
            "loss": Observable(loss, "W", "power lost in the dampers"),
        }


class Bushing(Pair):
    """Springs and dampers between two points along three axes that turn with frame i; they do not
    resist turning.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        stiffness: along the axes, N/m: three numbers, or one for all.
        damping: N s/m: three numbers, or one for all.
        axes: directions at the start by columns; default the fixed axes.
        name: for messages and channels.

    Without force where it is at the start. Channels: ``force1 force2 force3`` (N, on frame j along
    the axes), ``energy`` (J), ``loss`` (W).

    Raises:
        InputError: a negative stiffness or damping, axes that are no triad, a frame i without one.
    """

    prefix = label = "bushing"
    triads_needed = (True, False)

    def __init__(
        self,
        frame_i,
        frame_j,
        stiffness: ArrayLike | None = None,
        damping: ArrayLike = 0.0,
        *,
        axes: ArrayLike | None = None,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        if stiffness is None:
            raise InputError(f"{self.who} needs a stiffness in N/m: one number, or three.")
        self.stiffness = _three(f"{self.who}: stiffness", stiffness)
        self.damping = _three(f"{self.who}: damping", damping)
        self.axes = np.eye(3) if axes is None else np.array(axes, float)
        if self.axes.shape != (3, 3) or not np.allclose(self.axes.T @ self.axes, np.eye(3)):
            raise InputError(f"{self.who}: axes must be three orthogonal unit vectors by columns.")

    def build(self, builder) -> None:
        kind = BushingKind(self.i.kind, self.j.kind)
        parameters = kind.pack_pair(
            self.i.parameters(self.axes), self.j.parameters(), stiffness=self.stiffness,
            damping=self.damping, free=self.axes.T @ self.gap,
        )  # fmt: skip
        self.add_to(builder, kind, parameters)


def _three(what: str, value) -> np.ndarray:
    """One number for all axes, or three."""
    if np.ndim(value) == 0:
        return np.full(3, checks.non_negative(what, value))
    return np.array([checks.non_negative(what, x) for x in checks.vector(what, value)])
