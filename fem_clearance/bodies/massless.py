"""A frame without mass that moves with what is attached to it."""

from __future__ import annotations

import numpy as np

from .. import checks
from .rigid import PAIRS, RigidBody

#: the coordinates of a frame that stays in the x-y plane: origin's z, d1's and d2's z, all of d3
OUT_OF_PLANE = (2, 5, 8, 9, 10, 11)


class MasslessFrame(RigidBody):
    """An origin and three directors without inertia; constraints must determine all of its motion.

    Args:
        position: initial origin, m.
        plane: whether it stays in its plane of constant z.
        velocity: initial velocity of the origin, m/s.
        angular_velocity: initial, in the fixed axes, rad/s.
        name: for messages and channels.
        free: whether what it moves with flies freely.
    """

    prefix = "frame"
    shape, mass, euler = None, 0.0, np.zeros((3, 3))

    def __init__(
        self,
        position,
        *,
        plane=False,
        velocity=(0, 0, 0),
        angular_velocity=(0, 0, 0),
        name=None,
        free=False,
    ):
        self.name, self.free = name, free
        self.position = checks.vector(f"{name or 'frame'}: position", position)
        self.axes = np.eye(3)
        self.velocity = checks.vector(f"{name or 'frame'}: velocity", velocity)
        self.angular_velocity = checks.vector(
            f"{name or 'frame'}: angular_velocity", angular_velocity
        )
        self.known, self.needless = np.zeros(12, bool), np.zeros(len(PAIRS), bool)
        if plane:
            self.known[list(OUT_OF_PLANE)] = True
            self.needless[:] = [2 in pair for pair in PAIRS]
