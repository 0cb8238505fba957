"""The angle between two frames about an axis, over any number of turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.mixins import SteadyParameters
from ..core.observables import Observable
from ..core.symbols import Symbols
from ..model.frame import Pose, triad_about
from ..model.pair import Pair, PairKind
from ..model.turns import turned_since


class Angle:
    """Angle of frame j about the third axis of frame i, its rate and its virtual change, in UFL.

    ``before`` is the angle after the last accepted step, a parameter of the cell. The way on from
    there is the angle between it and the directors by atan2, so nothing jumps at half a turn, and
    the result is the same before and after the parameter moves on. A step may turn by less than
    half a turn.
    """

    def __init__(self, c: Symbols, i: Pose, j: Pose, before):
        self.c, self.before = c, before
        self.x, self.y = ufl.dot(j.e(1), i.e(1)), ufl.dot(j.e(1), i.e(2))

    @property
    def value(self):
        """The angle, rad."""
        return self.before + turned_since(self.before, self.x, self.y)

    def along(self, derivative):
        """Change of the angle for a change of q: ``c.rate`` or ``c.along`` of x and y."""
        change = self.x * derivative(self.y) - self.y * derivative(self.x)
        return change / (self.x**2 + self.y**2)

    @property
    def rate(self):
        """Its rate, rad/s."""
        return self.along(self.c.rate)


def about_third(angle: float) -> np.ndarray:
    """Rotation matrix about the third axis."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


@dataclass(frozen=True)
class AngleKind(PairKind, SteadyParameters):
    """Observes the angle between two frames; base of what acts on it."""

    remembers = False  # "before" only counts turns
    copied: ClassVar = {"before": ("angle",)}

    @property
    def own_parameters(self):
        return {"before": ()}

    def angle(self, c: Symbols) -> Angle:
        """The angle at the present state."""
        return Angle(c, *self.poses(c), c.par("before"))

    def observables(self, c):
        angle = self.angle(c)
        return {
            "angle": Observable(angle.value, "rad", "angle of frame j about the axis of frame i"),
            "angle_deg": Observable(angle.value * 180 / np.pi, "deg", "the same in degrees"),
            "speed": Observable(angle.rate, "rad/s", "rate of the angle"),
        }


@dataclass(frozen=True)
class TorqueKind(AngleKind):
    """Torque on frame j about the axis of frame i and its opposite on frame i; subclasses define
    its magnitude."""

    feeds_energy = True

    def torque(self, c: Symbols, angle: Angle):
        """Torque, N m, as a function of the angle and its rate."""
        raise TypeError("a torque kind defines torque()")

    def residual(self, c):
        angle = self.angle(c)
        return -self.torque(c, angle) * angle.along(c.along) * c.dx()

    def observables(self, c):
        angle = self.angle(c)
        torque = self.torque(c, angle)
        return {
            "angle": Observable(angle.value, "rad", "angle of frame j about the axis of frame i"),
            "speed": Observable(angle.rate, "rad/s", "rate of the angle"),
            "torque": Observable(torque, "N m", "torque on frame j about the axis"),
            "power": Observable(torque * angle.rate, "W", f"power of the {self.called}"),
        }


@dataclass(frozen=True)
class AngleProbeKind(AngleKind):
    """Observes the angle's acceleration too."""

    called = "angle probe"

    def observables(self, c):
        rate = self.angle(c).rate
        second = c.second_rate(rate)
        return {
            **super().observables(c),
            "acceleration": Observable(second, "rad/s^2", "second derivative of the angle"),
        }


class AnglePair(Pair):
    """An item that reads the angle of frame j about ``axis``, which is fixed in frame i."""

    def __init__(self, frame_i, frame_j, axis: ArrayLike | None, name: str | None):
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis)

    def pack(self, kind: AngleKind, initial: float = 0.0, **own):
        """Parameters of the cell; the angle at the start is called ``initial``."""
        triad = triad_about(self.axis)
        turned_triad = triad @ about_third(initial)
        return kind.pack_pair(
            self.i.parameters(triad), self.j.parameters(turned_triad), before=initial, **own
        )


class AngleProbe(AnglePair):
    """Records the rotation of frame j about ``axis`` of frame i, over any number of turns.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        initial: value of the angle at the start, rad.
        name: for messages and channels.

    Channels: ``angle`` (rad), ``angle_deg`` (deg), ``speed`` (rad/s), ``acceleration`` (rad/s^2).

    Raises:
        InputError: no axis or a zero one, frames without a triad.

    See docs/ideal_joints.md. Example::

        fc.AngleProbe(ground, body.center, axis=(0, 0, 1), name="angle")
    """

    prefix, label, holds = "angle", "angle probe", False

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        initial: float = 0.0,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, axis, name)
        self.initial = checks.number(f"{self.who}: initial", initial)

    def build(self, builder) -> None:
        kind = AngleProbeKind(self.i.kind, self.j.kind)
        self.add_to(builder, kind, self.pack(kind, self.initial))
