"""A driver that holds the rigid motion of two gears at a constant speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import multipliers
from ..core.mixins import SteadyParameters
from ..core.observables import Observable
from ..core.roles import ROTATION
from ..errors import InputError
from ..model.frame import triad_about
from ..model.pair import Pair, PairKind
from ..model.turns import turned_since


@dataclass(frozen=True)
class MeanRotationKind(PairKind, SteadyParameters):
    """w_i theta_i + w_j theta_j - speed t = 0, angles about a fixed axis.

    Written in terms of the turns since the last accepted step, because the round-off of whole
    angles would prevent convergence in short steps.
    """

    called = "driver of a gear pair"

    feeds_energy = True
    cellwise = True
    copied: ClassVar = {
        "before": ("pinion_angle", "gear_angle"), "time": ("time",), "open": ("open",),
    }  # fmt: skip

    @property
    def own_fields(self):
        return {"lam": (1,)}

    @property
    def own_parameters(self):
        return {
            "weights": (2,), "speed": (), "fixed": (2, 3), "before": (2,), "time": (), "open": (),
        }  # fmt: skip

    def turns(self, c):
        """How far both frames have turned since the last accepted step, rad."""
        fixed, before, result = c.par("fixed"), c.par("before"), []
        for k, pose in enumerate(self.poses(c)):
            x, y = (sum(fixed[m, n] * pose.e(1)[n] for n in range(3)) for m in (0, 1))
            result.append(turned_since(before[k], x, y))
        return result

    def condition(self, c, turns):
        """Difference of the mean from its prescribed value, rad."""
        weights, passed = c.par("weights"), c.t - c.par("time")
        mean = weights[0] * turns[0] + weights[1] * turns[1]
        return mean - c.par("speed") * passed + c.par("open")

    def residual(self, c):
        return c.along(c.split(c.q)[2][0] * self.condition(c, self.turns(c))) * c.dx()

    def observables(self, c):
        turns, weights, lam = self.turns(c), c.par("weights"), c.split(c.q)[2][0]
        torques = [-lam * weights[k] for k in (0, 1)]
        angles = [c.par("before")[k] + turns[k] for k in (0, 1)]
        rates = [*c.split(c.v)[:2], None]
        return {
            "pinion_angle": Observable(angles[0], "rad", "turn of frame i"),
            "gear_angle": Observable(angles[1], "rad", "turn of frame j"),
            "time": Observable(c.t, "s", "time", recorded=False),
            "open": Observable(
                self.condition(c, turns), "rad", "error of the condition", recorded=False
            ),
            "pinion_torque": Observable(torques[0], "N m", "driving torque on frame i"),
            "gear_torque": Observable(torques[1], "N m", "driving torque on frame j"),
            "power": Observable(-c.taken(self.residual(c), rates), "W", "power of the driver"),
        }


class MeanRotationDriver(Pair):
    """Holds a weighted mean of the turns of two frames at a constant speed.

    With the weights I_i r_j and -I_j r_i (inertias about the axis, radii of the base circles) it
    drives the rigid motion of two gears and leaves their transmission error alone: its torques, in
    the ratio of the weights, do not accelerate it.

    Args:
        frame_i, frame_j: frames that turn about ``axis``, fixed in space.
        weights: of their turns; their sizes add up to 1 after scaling.
        speed: of the mean, rad/s.
        name: for messages and channels.

    Channels: ``pinion_angle``, ``gear_angle`` (rad), ``pinion_torque``, ``gear_torque`` (N m),
    ``power`` (W).

    Raises:
        InputError: no axis, weights that are both 0.

    See docs/gears.md. Example::

        gears.MeanRotationDriver(pinion.center, gear.center, (0, 0, 1), weights=(1.0, 1.0),
                                 speed=100.0)
    """

    prefix, label, holds = "drive", "mean rotation driver", False

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        weights: ArrayLike,
        speed: float,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis)
        self.weights = checks.vector(f"{self.who}: weights", weights, 2)
        total = np.abs(self.weights).sum()
        if not total > 0:
            raise InputError(f"{self.who}: the weights must not both be 0.")
        self.weights, self.speed = self.weights / total, checks.number(f"{self.who}: speed", speed)

    def build(self, builder) -> None:
        kind = MeanRotationKind(self.i.kind, self.j.kind)
        triad = triad_about(self.axis)
        parameters = kind.pack_pair(
            self.i.parameters(triad), self.j.parameters(triad),
            weights=self.weights, speed=self.speed, fixed=triad.T[:2], before=np.zeros(2),
            time=0.0, open=0.0,
        )  # fmt: skip
        block = multipliers(self.name, "torque", 1, ROTATION, driven=True)
        self.add_to(builder, kind, parameters, [block])
