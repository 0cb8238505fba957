"""Bearings of several pads in mechanisms: what their joints share, and pads that tilt as bodies."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...bodies.rigid import RigidBody
from ...errors import InputError
from ...model.frame import triad_about
from ...model.pair import Pair


class PadFilms(Pair):
    """The films between the pads on one body and another body that turns; base of joints.

    Args:
        frame_i: of the pads.
        frame_j: of the body that turns.
        axis: of the bearing at the start.
        bearing: pads and lubricant, of the joint's own class.
        first: direction at the start from which the pads are placed; default: the fixed axis that
            is furthest from ``axis``.
        roughness: thickness below which a warning is logged, m.
        name: for messages and channels.

    Attributes:
        triad: axes of the films at the start, by columns, the third along ``axis``, (3, 3).

    Raises:
        InputError: no axis, or a bearing of another class.
    """

    _takes: ClassVar[type]

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None, bearing: Any, first: ArrayLike | None,
        roughness: float | None, name: str | None,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis)
        if not isinstance(bearing, self._takes):
            raise InputError(
                f"{self.who}: bearing must be {self._takes.__name__}(...), got "
                f"{checks.shown(bearing)}."
            )
        if first is not None:
            first = checks.vector(f"{self.who}: first", first)
        if roughness is not None:
            checks.positive(f"{self.who}: roughness", roughness)
        self.bearing, self.roughness = bearing, roughness
        self.triad = triad_about(self.axis, first)


def check_pad(who: str, pad: Any) -> None:
    """Refuse a pad without mass or inertia, which cannot be a body.

    Raises:
        InputError: mass or inertia is zero.
    """
    if not (pad.mass > 0 and pad.inertia > 0):
        raise InputError(
            f"{who}: in a mechanism a pad on a pivot is a body; give "
            f"{type(pad).__name__}(mass=..., inertia=...)."
        )


def add_pad(item, builder, k: int, pad: Any, position, orientation) -> RigidBody:
    """Add the body of pad ``k`` = 0, 1, ... to a system, named ``<name>.pad1`` and so on. At the
    start it moves with the body of frame i.

    Args:
        item: joint with a name and frame ``i``.
        builder: of the system.
        k: number of the pad.
        pad: its ``mass``, kg, and ``inertia``, kg m^2.
        position: of its pivot and centre of mass, m, (3,).
        orientation: its axes at the start, by columns, (3, 3).
    """
    housing, motion = item.i.body, dict[str, Any]()
    if isinstance(housing, RigidBody):
        w = housing.angular_velocity
        velocity = housing.velocity + np.cross(w, position - housing.position)
        motion = {"velocity": velocity, "angular_velocity": w}
    return builder.add(
        RigidBody(
            pad.mass, (pad.inertia,) * 3, position=position, orientation=orientation,
            name=f"{item.name}.pad{k + 1}", **motion,
        )
    )  # fmt: skip
