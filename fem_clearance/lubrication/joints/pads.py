"""Tilting pads as bodies of a mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bodies.rigid import RigidBody
from ...errors import InputError


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
