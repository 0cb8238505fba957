"""What slider-cranks share: bars on the x axis at the start, hinged about z."""

from __future__ import annotations

import numpy as np

import fem_clearance as fc

AXIS = (0, 0, 1)
#: other names of ``crank.rpm``
SPEED_NAMES = {"crank.speed": 30 / np.pi}


def bar(name: str, numbers, start, speed: float, spin: float) -> fc.RigidBody:
    """A bar along x.

    Args:
        numbers: length m, mass kg, moment of inertia about its middle kg m^2.
        start: its first end, m.
        speed: of its middle along y, m/s.
        spin: about z, rad/s.
    """
    length, mass, inertia = numbers
    return fc.RigidBody(
        mass, slender(inertia), position=np.add(start, (length / 2, 0, 0)),
        velocity=(0, speed, 0), angular_velocity=(0, 0, spin), name=name,
    )  # fmt: skip


def slender(inertia: float) -> tuple[float, float, float]:
    """Principal moments of a bar in plane motion: about its own axis it never turns."""
    return (1e-2 * inertia, inertia, inertia)


def crank_on_ground(system, numbers, speed: float) -> tuple[fc.RigidBody, fc.RevoluteJoint]:
    """The crank, turning at ``speed`` (rad/s) about the origin, and its pivot."""
    crank = system.add(bar("crank", numbers, (0, 0, 0), speed * numbers[0] / 2, speed))
    return crank, system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), AXIS, name="O"))


def crank_speed(p) -> float:
    """Angular velocity of the crank, at least at the start, rad/s."""
    return p["crank.rpm"] * 2 * np.pi / 60
