"""A journal in a bearing, seen along the bearing's axis.

Four numbers say how the journal (frame j) sits in its bearing (frame i): ``x, y``, the journal's
centre in the bearing's axes, and ``p, w``, cosine and sine of the journal's turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import ufl

from ...core.observables import Observable
from ..forms import TINY_LENGTH, centre_offsets, load_observables
from .touch import Placement, Touch


@dataclass(frozen=True)
class Planar(Placement):
    """Bai, Zhang and Sun (2014), section 2, with the corrections of docs/errata.md.

    Args:
        midway: friction acts midway between the surfaces; else on each body at its own radius.
    """

    midway: bool = True

    label: ClassVar[str] = "revolute clearance"

    parameters: ClassVar[tuple[str, ...]] = ("clearance", "journal_radius")

    def touch(self, kind, c, as_symbol) -> Touch:
        i, j = kind.poses(c)
        where = coordinates(i, j)
        s, change = as_symbol(where), as_symbol(c.rate(where))
        depth, gradient, rate, n = pressed(kind, c, s, change)
        normal, along = directions(n)
        lever = radius(kind, c) - (depth / 2 if self.midway else 0)
        slide = sliding_direction(s, n, lever)
        speed = ufl.dot(slide, change)
        spin = ufl.dot(i.omega, i.e(3))  # of the bearing: a fifth velocity that friction works on
        at_radii = kind.friction is not None and not self.midway
        if not self.midway:
            speed += depth * as_symbol(ufl.as_vector([spin]))[0]

        def back(force):
            size = ufl.dot(force, along)
            parts = [size * slide[k] for k in range(4)]
            return ufl.as_vector(parts + [size * depth]) if at_radii else ufl.as_vector(parts)

        def work(forces):
            found = as_symbol(forces)
            four = ufl.as_vector([found[k] for k in range(4)]) if at_radii else found
            form = ufl.dot(four, c.along(where))
            return form + found[4] * c.power(spin) if at_radii else form

        if at_radii:
            gradient = ufl.as_vector([*(gradient[k] for k in range(4)), 0.0])

        def acting(force):  # bristles may lean along the axis too
            return ufl.dot(force, along) * along

        return Touch(depth, rate, gradient, normal, speed * along, work, back, acting, place=s)

    def observables(self, kind, c, at, forces):
        i, j = kind.poses(c)
        s, along = at.place, directions(at.normal)[1]
        force, moment = force_and_moment(i, j, forces)
        degrees = 180 / np.pi
        shown = {
            "eccentricity": Observable(distance(s), "m", "distance of the centres"),
            "sliding_speed": Observable(
                ufl.dot(at.sliding, along), "m/s",
                "speed of the journal's surface along the bearing's",
            ),
            "bearing_angle_deg": Observable(
                bearing_angle(s) * degrees, "deg", "direction of the journal's centre"
            ),
            "journal_angle_deg": Observable(
                journal_angle(s) * degrees, "deg", "the same direction in the journal"
            ),
            **centre_offsets(i, j, "journal", "bearing"),
            **load_observables(-force, -moment, "journal", "about its centre"),
        }  # fmt: skip
        return shown | kind.worn.observables(c, s) if kind.worn else shown


def coordinates(i, j):
    """``x, y`` (m), ``p, w`` of two poses; the third axis of ``i`` is the bearing's."""
    return ufl.as_vector([ufl.dot(z, i.e(k)) for z in (j.r - i.r, j.e(1)) for k in (1, 2)])


def distance(s):
    """Distance of the centres, m."""
    return ufl.sqrt(s[0] ** 2 + s[1] ** 2 + TINY_LENGTH**2)


def bearing_angle(s):
    """Angle of the journal's centre in the bearing, rad."""
    return ufl.atan2(s[1], s[0] + TINY_LENGTH)


def journal_angle(s):
    """Angle of the same direction in the journal, rad."""
    x, y, p, w = (s[k] for k in range(4))
    return ufl.atan2(y * p - x * w, x * p + y * w + TINY_LENGTH)


def depth_at(kind, c, s):
    """Penetration at the coordinates ``s``, m."""
    depth = distance(s) - c.par("clearance")
    return depth + kind.worn.excess(c, s) if kind.worn else depth


def radius(kind, c):
    """Radius of the journal where it touches, m."""
    whole = c.par("journal_radius")
    return whole - c.par("journal_wear") if kind.worn else whole


def pressed(kind, c, s, change):
    """Depth, its gradient by the coordinates, its rate, and the normal's two components."""
    at = ufl.variable(s)
    depth = depth_at(kind, c, at)
    gradient = ufl.diff(depth, at)
    return depth, gradient, ufl.dot(gradient, change), normal(gradient)


def normal(gradient):
    """Unit vector across the surfaces in the bearing's axes: along the gradient of the depth."""
    size = ufl.sqrt(gradient[0] ** 2 + gradient[1] ** 2 + TINY_LENGTH)
    return gradient[0] / size, gradient[1] / size


def sliding_direction(s, n, lever):
    """Gradient of the sliding by the coordinates: its product with their rates is the speed.

    Seen from the bearing, the journal's centre moves along the surface and the journal turns; both
    material points lie where friction acts, ``lever`` (m) from the journal's centre.
    """
    size = s[2] ** 2 + s[3] ** 2
    return ufl.as_vector([-n[1], n[0], -lever * s[3] / size, lever * s[2] / size])


def directions(n):
    """The normal and the direction of sliding as vectors in the bearing's axes."""
    return ufl.as_vector([n[0], n[1], 0]), ufl.as_vector([-n[1], n[0], 0])


def force_and_moment(i, j, forces):
    """What generalised forces by the coordinates are as a force at the journal's centre and a
    moment, in space, also where the axes of ``i`` and ``j`` differ."""
    on_centre, on_first_axis = (forces[k] * i.e(1) + forces[k + 1] * i.e(2) for k in (0, 2))
    return on_centre, ufl.cross(j.e(1), on_first_axis)
