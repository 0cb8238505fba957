"""Kinds of contact of a journal in its bearing: in the plane, and by stations along the axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import ufl

from ..core.observables import Observable
from ..model.pair import PairKind
from . import planar
from .clearance import (
    TINY_LENGTH,
    ClearanceKind,
    centre_offsets,
    identity,
    load_observables,
    touching,
)
from .laws.normal import indicator
from .spatial import AXES, Contact, SpatialContactKind, coordinates, local


@dataclass(frozen=True)
class RevoluteContactKind(ClearanceKind):
    """Bai, Zhang and Sun (2014), section 2, with the corrections E004-1 to E004-4 of
    docs/errata.md."""

    feeds_energy = False

    #: friction acts midway between the surfaces; else on each body at its own radius
    midway: bool = True

    geometry: ClassVar[tuple[str, ...]] = ("clearance", "journal_radius")

    @property
    def label(self):
        return f"revolute clearance ({self.i.label}, {self.j.label})"

    def depth(self, c, s):
        """Penetration at the planar coordinates ``s``, m."""
        return planar.distance(s) - c.par("clearance")

    def radius(self, c):
        """Radius of the journal where it touches, m."""
        return c.par("journal_radius")

    def contact(self, c, s, change):
        """Depth, its gradient by the coordinates and its rate; normal and direction of sliding."""
        at = ufl.variable(s)
        depth = self.depth(c, at)
        gradient = ufl.diff(depth, at)
        n = planar.normal(gradient)
        lever = self.radius(c) - (depth / 2 if self.midway else 0)
        slide = planar.sliding_direction(s, n, lever)
        return depth, gradient, ufl.dot(gradient, change), n, slide

    def friction_ratio(self, c, n, speed, as_symbol=identity):
        """Friction by normal force at a sliding ``speed``, of its sign."""
        normal, along = planar.directions(n)
        return ufl.dot(self.drag(c, AXES, speed * along, normal, as_symbol), along)

    def residual(self, c):
        i, j = self.poses(c)
        where = planar.coordinates(i, j)
        s, change = c.shared(where), c.shared(c.rate(where))
        depth, gradient, rate, n, slide = self.contact(c, s, change)
        force = self.normal_force(c, depth, rate)
        if not self.friction:
            return ufl.dot(c.shared(force * gradient), c.along(where)) * c.dx()
        speed = ufl.dot(slide, change)
        spin = ufl.dot(i.omega, i.e(3))
        if not self.midway:
            speed += depth * c.shared(ufl.as_vector([spin]))[0]
        friction = force * self.friction_ratio(c, n, speed, c.shared)
        form = ufl.dot(c.shared(force * gradient + friction * slide), c.along(where)) * c.dx()
        if not self.midway:
            form += c.shared(ufl.as_vector([friction * depth]))[0] * c.power(spin) * c.dx()
        if self.remembers:
            normal, along = planar.directions(n)
            form += self.bristle_residual(c, AXES, speed * along, normal, touching(depth))
        return form

    def observables(self, c):
        i, j = self.poses(c)
        s = planar.coordinates(i, j)
        change = c.rate(s)
        depth, gradient, rate, n, slide = self.contact(c, s, change)
        speed, friction = ufl.dot(slide, change), 0.0 * depth
        if not self.midway:
            speed += depth * ufl.dot(i.omega, i.e(3))
        if self.friction:
            friction = self.normal_force(c, depth, rate) * self.friction_ratio(c, n, speed)
        on_bearing = self.normal_force(c, depth, rate) * gradient + friction * slide
        force, moment = planar.force_and_moment(i, j, on_bearing)
        degrees = 180 / np.pi
        return {
            **self.common_observables(c, depth, rate, abs(friction)),
            "eccentricity": Observable(planar.distance(s), "m", "distance of the centres"),
            "sliding_speed": Observable(
                speed, "m/s", "speed of the journal's surface along the bearing's"
            ),
            "friction_loss": Observable(friction * speed, "W", "power lost to friction"),
            "bearing_angle_deg": Observable(
                planar.bearing_angle(s) * degrees, "deg", "direction of the journal's centre"
            ),
            "journal_angle_deg": Observable(
                planar.journal_angle(s) * degrees, "deg", "the same direction in the journal"
            ),
            **centre_offsets(i, j, "journal", "bearing"),
            **load_observables(-force, -moment, "journal", "about its centre"),
        }


def overlap(c, e, b):
    """Where the journal's axis lies inside the bearing: from, to, along the bearing's axis, m."""
    half, reach = c.par("bearing_half"), c.par("journal_half") * b[2]
    low = _larger(-half, e[2] - reach)
    return low, _larger(low, -_larger(-half, -e[2] - reach))


def crossing(e, b, z):
    """Distance along the journal's axis at which it crosses the bearing's plane at ``z``, and its
    two coordinates there, m."""
    along = (z - e[2]) / b[2]
    return along, e[0] + along * b[0], e[1] + along * b[1]


def _larger(x, y):
    first = indicator(ufl.gt(x, y))
    return first * x + (1 - first) * y


def _distance(x, y):
    return ufl.sqrt(x**2 + y**2 + TINY_LENGTH**2)


@dataclass(frozen=True)
class CylindricalContactKind(SpatialContactKind):
    """A station: a plane across the bearing where its circle and the journal's may overlap.

    Stations divide the length on which the journal is inside the bearing, and move with it. So the
    force acts across the journal where it passes a bearing's end, and across the bearing where the
    journal ends inside.
    """

    geometry: ClassVar[tuple[str, ...]] = (
        "clearance", "journal_radius", "bearing_half", "journal_half", "station", "weight",
    )  # fmt: skip

    @property
    def label(self):
        return f"cylindrical clearance ({self.i.label}, {self.j.label})"

    def contact(self, c, s):
        e, b, _ = local(s)
        low, high = overlap(c, e, b)
        z = (low + high) / 2 + c.par("station") * (high - low) / 2
        along, x, y = crossing(e, b, z)
        distance, inside = _distance(x, y), indicator(ufl.gt(high, low))
        depth = inside * distance - c.par("clearance")
        share = c.par("weight") * (high - low) / (2 * c.par("bearing_half"))
        # friction acts midway between the surfaces
        out = (c.par("journal_radius") - depth / 2) / distance
        return Contact(depth, share, along * b + ufl.as_vector([out * x, out * y, 0 * x]))


@dataclass(frozen=True)
class CylindricalPoseKind(PairKind):
    """How the journal sits in the bearing: observes only."""

    @property
    def own_parameters(self):
        return dict.fromkeys(("clearance", "bearing_half", "journal_half"), ())

    def observables(self, c):
        i, j = self.poses(c)
        e, b, _ = local(coordinates(i, j, False))
        low, high = overlap(c, e, b)
        middle, first, last = (_distance(*crossing(e, b, z)[1:]) for z in (0 * low, low, high))
        # the distance of a line is convex: it is largest at an end
        deepest = _larger(0 * low, _larger(first, last) - c.par("clearance"))
        deepest = indicator(ufl.gt(high, low)) * deepest
        tilt = ufl.atan2(_distance(b[0], b[1]), b[2])
        return {
            "eccentricity": Observable(middle, "m", "distance of the axes in the bearing's middle"),
            "penetration": Observable(deepest, "m", "penetration where it is largest, at an end"),
            "tilt": Observable(tilt, "rad", "angle of the axes"),
            "shift": Observable(e[2], "m", "journal's centre along the bearing's axis"),
            "overlap": Observable(high - low, "m", "length of journal inside the bearing"),
            **centre_offsets(i, j, "journal", "bearing"),
        }
