"""Springs and dampers between two frames, linear, along a line or about an axis.

The spring's potential gives its virtual work; the damper's force acts along the same line, so
neither can do work in a rigid motion of the whole system.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.observables import Observable
from ..errors import InputError
from ..model.pair import Pair, PairKind
from .angle import AngleKind, AnglePair


@dataclass(frozen=True)
class SpringKind(PairKind):
    """V = k (l - l0)^2 / 2 and damping force c dl/dt along the line between two points."""

    feeds_energy = False

    @property
    def own_parameters(self):
        return {"stiffness": (), "damping": (), "free_length": (), "tiny": ()}

    def length(self, c):
        """Distance of the points; ``tiny`` is far below it and keeps its derivative finite."""
        i, j = self.poses(c)
        gap = j.r - i.r
        return ufl.sqrt(ufl.dot(gap, gap) + c.par("tiny") ** 2)

    def force(self, c, length):
        """Tension."""
        stretch = length - c.par("free_length")
        return c.par("stiffness") * stretch + c.par("damping") * c.rate(length)

    def residual(self, c):
        length = self.length(c)
        return self.force(c, length) * c.along(length) * c.dx()

    def observables(self, c):
        length = self.length(c)
        energy = c.par("stiffness") / 2 * (length - c.par("free_length")) ** 2
        loss = c.par("damping") * c.rate(length) ** 2
        return {
            "length": Observable(length, "m", "distance of the points"),
            "force": Observable(self.force(c, length), "N", "tension"),
            "energy": Observable(energy, "J", "energy of the spring", "energy.strain"),
            "loss": Observable(loss, "W", "power lost in the damper"),
        }


class SpringDamper(Pair):
    """A spring and a damper side by side between two points.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        stiffness: N/m.
        damping: N s/m.
        free_length: length without force, m (default: the initial one).
        name: for messages and channels.

    Channels: ``length`` (m), ``force`` (N, positive when it pulls), ``energy`` (J), ``loss`` (W).

    Raises:
        InputError: a negative stiffness, damping or free length.
    """

    prefix = label = "spring"
    triads_needed = (False, False)

    def __init__(
        self,
        frame_i,
        frame_j,
        stiffness: float | None = None,
        damping: float = 0.0,
        free_length: float | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        self.stiffness = _stiffness(self.who, stiffness, "N/m")
        self.damping = checks.non_negative(f"{self.who}: damping", damping)
        initial = float(np.linalg.norm(self.gap))
        if free_length is None:
            free_length = initial
        self.free_length = checks.non_negative(f"{self.who}: free_length", free_length)

    def build(self, builder) -> None:
        kind = SpringKind(self.i.kind, self.j.kind)
        parameters = kind.pack_pair(
            self.i.parameters(),
            self.j.parameters(),
            stiffness=self.stiffness,
            damping=self.damping,
            free_length=self.free_length,
            tiny=1e-9 * builder.extent(),
        )
        self.add_to(builder, kind, parameters)


@dataclass(frozen=True)
class TorsionKind(AngleKind):
    """V = k (angle - free angle)^2 / 2 and damping torque about the axis of frame i."""

    feeds_energy = False

    @property
    def own_parameters(self):
        return {"before": (), "stiffness": (), "damping": (), "free_angle": ()}

    def torque(self, c, angle):
        """Torque with which the spring resists."""
        twist = angle.value - c.par("free_angle")
        return c.par("stiffness") * twist + c.par("damping") * angle.rate

    def residual(self, c):
        angle = self.angle(c)
        return self.torque(c, angle) * angle.along(c.along) * c.dx()

    def observables(self, c):
        angle = self.angle(c)
        energy = c.par("stiffness") / 2 * (angle.value - c.par("free_angle")) ** 2
        loss = c.par("damping") * angle.rate**2
        return {
            "angle": Observable(angle.value, "rad", "angle of frame j about the axis of frame i"),
            "torque": Observable(-self.torque(c, angle), "N m", "torque on frame j about the axis"),
            "energy": Observable(energy, "J", "energy of the spring", "energy.strain"),
            "loss": Observable(loss, "W", "power lost in the damper"),
        }


class TorsionSpring(AnglePair):
    """A torsion spring and damper about an axis, over any number of turns.

    It acts beside a joint that holds the axis, such as a revolute. A step may turn it by less than
    half a turn.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        stiffness: N m/rad.
        damping: N m s/rad.
        free_angle: angle of frame j without torque, measured from the start, rad.
        name: for messages and channels.

    Channels: ``angle`` (rad), ``torque`` (N m, on frame j), ``energy`` (J), ``loss`` (W).

    Raises:
        InputError: no axis or a zero one, negative stiffness or damping, frames without a triad.
    """

    prefix, label = "torsion_spring", "torsion spring"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        stiffness: float | None = None,
        damping: float = 0.0,
        free_angle: float = 0.0,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, axis, name)
        self.stiffness = _stiffness(self.who, stiffness, "N m/rad")
        self.damping = checks.non_negative(f"{self.who}: damping", damping)
        self.free_angle = checks.number(f"{self.who}: free_angle", free_angle)

    def build(self, builder) -> None:
        kind = TorsionKind(self.i.kind, self.j.kind)
        parameters = self.pack(
            kind, stiffness=self.stiffness, damping=self.damping, free_angle=self.free_angle
        )
        self.add_to(builder, kind, parameters)


def _stiffness(who: str, value, unit: str) -> float:
    if value is None:
        raise InputError(f"{who} needs a stiffness in {unit}.")
    return checks.non_negative(f"{who}: stiffness", value)
