"""Pads that tilt, as bodies of a running system."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bodies.rigid import RigidBody
from ...errors import InputError


def check_pad(who: str, pad: Any) -> None:
    """Refuse a pad that cannot be a body: one without mass or inertia."""
    if not (pad.mass > 0 and pad.inertia > 0):
        raise InputError(
            f"{who}: a pad on a pivot is a body here; give it {type(pad).__name__}(mass=..., "
            "inertia=...)."
        )


def add_pad(item, builder, k: int, pad: Any, position, orientation) -> RigidBody:
    """Add the body of pad ``k``, counted from 0, to a system: ``<name>.pad1`` and so on. It moves
    with the body of frame i at first.

    Args:
        item: gives the name and frame ``i``.
        builder: to add to.
        k: its number.
        pad: its ``mass`` and ``inertia``.
        position: of its pivot and centre of mass, m.
        orientation: its axes at the start, by columns.
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
