"""Bars and cranks, rigid or flexible."""

from __future__ import annotations

from typing import Any

import numpy as np

import fem_clearance as fc

AXIS = (0, 0, 1)
#: width of a link in pictures by its length, if a paper gives none
LINK = 0.12


def bar(
    system, p, key: str, start, end, section: fc.Rectangle | fc.Circle, material, **options: Any
) -> Any:
    """Add a uniform bar; its frames are ``at(place)``.

    Args:
        system: to which it is added.
        p: ``KEY.model`` is ``rigid`` or a type of elements, ``KEY.elements`` their number,
            ``section_model`` how the sections deform.
        key: first word of these parameters.
        start, end: of its axis, m.
        section, material: of the whole bar.
        options: name and velocities; ``orientation`` of a rigid bar, ``damping`` and ``poisson`` of
            a beam.
    """
    rigid = {"orientation": options.pop("orientation", None)}
    beam = {n: options.pop(n) for n in ("damping", "poisson") if n in options}
    if p[f"{key}.model"] != "rigid":
        return system.add(
            fc.Beam(start, end, section, material, elements=p[f"{key}.elements"],
                    model=p[f"{key}.model"], section_model=p["section_model"], **beam, **options)
        )  # fmt: skip
    length = float(np.linalg.norm(np.subtract(end, start)))
    if isinstance(section, fc.Circle):
        shape: Any = fc.shapes.Cylinder(section.radius, length)
    else:
        shape = fc.shapes.Box(length, section.width_y, section.height_z)
    middle = np.add(start, end) / 2
    return system.add(
        fc.RigidBody(shape=shape, density=material.rho, position=middle, **rigid, **options)
    )


def along(direction) -> np.ndarray:
    """Axes of a bar as columns, the first along it."""
    first = np.asarray(direction, float) / np.linalg.norm(direction)
    across = np.cross(first, np.eye(3)[np.argmin(np.abs(first))])
    across /= np.linalg.norm(across)
    return np.column_stack([first, across, np.cross(first, across)])


def slender(inertia: float) -> tuple[float, float, float]:
    """Principal moments of a bar in plane motion; it never rotates about its own axis."""
    return (1e-2 * inertia, inertia, inertia)


# --- slider-cranks, which lie on the x axis at the start, hinged about z -------------------------
def link(name: str, numbers, start, speed: float, spin: float) -> fc.RigidBody:
    """A rigid bar along x.

    Args:
        name: of the bar.
        numbers: length m, mass kg, moment of inertia about its middle kg m^2.
        start: its first end, m.
        speed: of its middle along y, m/s.
        spin: about z, rad/s.
    """
    length, mass, inertia = numbers
    return fc.RigidBody(
        mass, slender(inertia), position=np.add(start, (length / 2, 0, 0)),
        velocity=(0, speed, 0), angular_velocity=(0, 0, spin), shape=fc.shapes.Link(LINK * length),
        name=name,
    )  # fmt: skip


def crank_on_ground(system, numbers, speed: float) -> tuple[fc.RigidBody, fc.RevoluteJoint]:
    """The crank, which rotates at ``speed`` (rad/s) about the origin, and its pivot."""
    crank = system.add(link("crank", numbers, (0, 0, 0), speed * numbers[0] / 2, speed))
    return crank, system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), AXIS, name="O"))


def crank_speed(p) -> float:
    """Angular velocity of the crank, at least at the start, rad/s."""
    return p["crank.rpm"] * 2 * np.pi / 60
