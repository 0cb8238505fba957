"""Probes: channels of a point's motion, without any effect on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.component import Cell
from ..core.observables import Observable
from ..markup import Shown
from .pair import SingleKind, resolve_one
from .portrait import Portrait


@dataclass(frozen=True)
class ProbeKind(SingleKind):
    """Position, velocity, acceleration and angular velocity of a frame."""

    called = "probe"

    def observables(self, c):
        pose = self.pose(c)
        velocity = pose.velocity
        acceleration = c.second_rate(velocity)
        vectors = {
            "": (pose.r, "m", "position"),
            "v": (velocity, "m/s", "velocity"),
            "a": (acceleration, "m/s^2", "acceleration"),
        }
        if pose.triad:
            vectors["omega_"] = (pose.omega, "rad/s", "angular velocity")
        return {
            name + x: Observable(vector[k], unit, f"{x} of the {what}")
            for name, (vector, unit, what) in vectors.items()
            for k, x in enumerate("xyz")
        }


class Probe(Shown):
    """Records the motion of a frame's point.

    Args:
        frame: such as ``arm.end``; a rigid body stands for its centre of mass.
        name: prefix of the channels.

    Channels: ``x y z`` (m), ``vx vy vz`` (m/s), ``ax ay az`` (m/s^2), and for frames with a triad
    ``omega_x omega_y omega_z`` (rad/s).

    Raises:
        InputError: no frame.

    Example:
        >>> system.add(Probe(arm.end, name="tip"))   # tip.x, tip.vx, ...
    """

    prefix = "probe"

    def __init__(self, frame, *, name: str | None = None):
        self.name = name
        self.i = resolve_one(frame, name or "probe")

    def portrait(self) -> Portrait:
        return Portrait("probe", self.i)

    def build(self, builder) -> None:
        kind = ProbeKind(self.i.kind)
        parameters = kind.pack_single(self.i.parameters(np.eye(3)))
        builder.add_cell(kind, Cell(self.name or "", self.i.refs, parameters))
