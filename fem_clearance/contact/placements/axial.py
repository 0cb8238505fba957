"""A journal (frame j) in its bearing (frame i) in space, seen from the bearing.

Nine numbers say how the journal sits in the bearing, all in the bearing's axes: ``e``, its centre;
``b``, its axis; ``f``, a direction across the axis that turns with it (only where friction must
know the spin).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import ufl

from ...core.observables import Observable, internal
from ..forms import TINY_LENGTH, across, in_axes, in_space, load_observables, touching
from ..laws.normal import indicator
from . import planar
from .touch import Placement, Touch

#: of slopes, below which nothing is resolved; keeps unit vectors finite
TINY = 1e-15


class Local(NamedTuple):
    """The coordinates as three vectors (``f`` is ``None`` without friction)."""

    e: Any
    b: Any
    f: Any = None


class Spot(NamedTuple):
    """A contact at the coordinates.

    Attributes:
        depth: penetration, m, negative while free.
        share: part of the law's force that acts here.
        arm: from the journal's centre to the point where friction acts, m.
        slope, longer: gradients of depth and share by the coordinates.
    """

    depth: Any
    share: Any
    arm: Any
    slope: Any = None
    longer: Any = None


@dataclass(frozen=True)
class Axial(Placement):
    """Base of places along a journal; subclasses say in ``spot`` where and how deep."""

    shares: ClassVar[bool] = True
    #: whether the coordinates tell the journal's turn about its axis without friction too
    turning: ClassVar[bool] = False

    def spot(self, kind, c, s) -> Spot:
        """The contact at the coordinates ``s``."""
        raise TypeError(f"{type(self).__name__} defines no spot()")

    def found(self, kind, c, s, as_symbol) -> Spot:
        """The same with its gradients."""
        at = ufl.variable(s)
        spot = self.spot(kind, c, at)
        return spot._replace(slope=ufl.diff(spot.depth, at), longer=ufl.diff(spot.share, at))

    def touch(self, kind, c, as_symbol) -> Touch:
        i, j = kind.poses(c)
        friction = kind.friction is not None
        where = coordinates(i, j, friction or self.turning)
        s, change = as_symbol(where), as_symbol(c.rate(where))
        spot = self.found(kind, c, s, as_symbol)
        n = sliding = None
        if friction or self.turning:
            toward = ufl.as_vector([spot.slope[k] for k in range(3)])
            n = as_symbol(toward / ufl.sqrt(ufl.dot(toward, toward) + TINY))
            sliding = as_symbol(across(velocity(local(s), local(change), spot.arm), n))
        return Touch(
            spot.depth, ufl.dot(spot.slope, change), spot.slope, n, sliding,
            back=lambda force: generalised(local(s), as_symbol(force), spot.arm),
            work=lambda forces: ufl.dot(as_symbol(forces), c.along(where)),
            share=spot.share, longer=spot.longer, place=s,
        )  # fmt: skip

    def observables(self, kind, c, at, forces):
        i, _ = kind.poses(c)
        force, moment = (-in_space(i, x) for x in force_and_moment(local(at.place), forces))
        touches = touching(at.depth) * touching(at.share)
        return {
            **internal({"share": at.share}),
            "contacts": Observable(touches, "", "places that touch, of those looked at"),
            **load_observables(force, moment, "journal", "about its centre"),
        }


@dataclass(frozen=True)
class Station(Axial):
    """A plane across the bearing where its circle and the journal's may overlap.

    Stations divide the length on which the journal is inside the bearing, and move with it. So the
    force acts across the journal where it passes a bearing's end, and across the bearing where the
    journal ends inside.
    """

    label: ClassVar[str] = "cylindrical clearance"

    parameters: ClassVar[tuple[str, ...]] = (
        "clearance", "journal_radius", "bearing_half", "journal_half", "station", "weight",
    )  # fmt: skip

    def spot(self, kind, c, s):
        e, b, _ = local(s)
        low, high = overlap(c, e, b)
        z = (low + high) / 2 + c.par("station") * (high - low) / 2
        along, x, y = crossing(e, b, z)
        distance, inside = off_axis(x, y), indicator(ufl.gt(high, low))
        depth = inside * distance - c.par("clearance")
        share = c.par("weight") * (high - low) / (2 * c.par("bearing_half"))
        # friction acts midway between the surfaces
        out = (c.par("journal_radius") - depth / 2) / distance
        return Spot(depth, share, along * b + ufl.as_vector([out * x, out * y, 0 * x]))


@dataclass(frozen=True)
class Slice(Station):
    """A slice of a worn bearing across its axis, and of the journal in it.

    Contact is that of a revolute joint whose journal has its centre where the journal's axis
    crosses the slice's middle and turns as the journal does about its own axis.
    """

    turning: ClassVar[bool] = True

    def at_slice(self, c, s):
        """Distance along the journal's axis to the slice, m, and the planar coordinates there.

        The turn is the one that is left when the shortest rotation has laid the journal's axis on
        the bearing's: a steady spin of a tilted journal stays steady.
        """
        e, b, f = local(s)
        g = ufl.cross(b, f)
        along, x, y = crossing(e, b, c.par("station") * c.par("bearing_half"))
        return along, ufl.as_vector([x, y, f[0] + g[1], f[1] - g[0]])

    def found(self, kind, c, s, as_symbol):
        at = ufl.variable(s)
        along, where = self.at_slice(c, at)
        by = ufl.diff(where, at)
        # what follows sees four numbers: shared, so that tangents need not see through to nine
        where = ufl.variable(as_symbol(where))
        depth = planar.depth_at(kind, c, where)
        slope = ufl.diff(depth, where)
        found = as_symbol(ufl.as_vector([depth, *(slope[k] for k in range(4))]))
        depth, slope = found[0], ufl.as_vector([found[k + 1] for k in range(4)])
        n = planar.normal(slope)
        out = planar.radius(kind, c) - depth / 2  # friction acts midway between the surfaces
        arm = along * local(s).b + ufl.as_vector([out * n[0], out * n[1], 0 * out])
        return Spot(depth, c.par("weight"), arm, as_symbol(ufl.dot(slope, by)))

    def observables(self, kind, c, at, forces):
        pressed, speed = touching(at.depth) * at.depth, ufl.sqrt(ufl.dot(at.sliding, at.sliding))
        return {
            **super().observables(kind, c, at, forces),
            **kind.worn.observables(c, self.at_slice(c, at.place)[1]),
            "penetration": Observable(pressed, "m", "penetration of a slice", each=True),
            "sliding_speed": Observable(
                speed, "m/s", "speed of the surfaces on each other", each=True
            ),
        }


@dataclass(frozen=True)
class Collar(Axial):
    """A point of a ring on the bearing's end, against the plane of the journal's collar."""

    label: ClassVar[str] = "thrust face"

    parameters: ClassVar[tuple[str, ...]] = ("px", "py", "pz", "collar", "weight")

    def spot(self, kind, c, s):
        e, b, _ = local(s)
        out = ufl.as_vector([c.par("px"), c.par("py"), c.par("pz")]) - e
        collar = c.par("collar")  # along the journal's axis, with its sign
        side = ufl.sign(collar)
        depth = side * ufl.dot(out, b) - side * collar
        # friction acts midway between the surfaces
        return Spot(depth, c.par("weight") + 0 * depth, out - side * depth / 2 * b)


def coordinates(i, j, turning: bool):
    """The nine numbers (six if not ``turning``) of two poses whose third axes are those of bearing
    and journal."""
    return in_axes(i, j.r - i.r, j.e(3), *[j.e(1)] * turning)


def local(s) -> Local:
    """The numbers, or their rates, as vectors."""
    vectors = [ufl.as_vector([s[k + n] for n in range(3)]) for k in range(0, len(s), 3)]
    return Local(*vectors)


def velocity(at: Local, change: Local, arm):
    """Velocity of the journal's material point at ``arm`` from its centre, seen from the bearing,
    m/s."""
    spin = ufl.dot(change.f, ufl.cross(at.b, at.f))
    return change.e + ufl.cross(ufl.cross(at.b, change.b) + spin * at.b, arm)


def generalised(at: Local, force, arm):
    """Generalised forces of a force at that point: the gradient of its power by the rates."""
    moment = ufl.cross(arm, force)
    spin = ufl.dot(at.b, moment)
    vectors = force, ufl.cross(moment, at.b), spin * ufl.cross(at.b, at.f)
    return ufl.as_vector([x[k] for x in vectors for k in range(3)])


def force_and_moment(at: Local, forces):
    """What generalised forces are as a force at the journal's centre and a moment, in the bearing's
    axes (of the journal on the bearing)."""
    by = local(forces)
    moment = ufl.cross(at.b, by.b)
    return by.e, moment if by.f is None else moment + ufl.cross(at.f, by.f)


def overlap(c, e, b):
    """Where the journal's axis lies inside the bearing: from, to, along the bearing's axis, m."""
    half, reach = c.par("bearing_half"), c.par("journal_half") * b[2]
    low = larger(-half, e[2] - reach)
    return low, larger(low, -larger(-half, -e[2] - reach))


def crossing(e, b, z):
    """Distance along the journal's axis at which it crosses the bearing's plane at ``z``, and its
    two coordinates there, m."""
    along = (z - e[2]) / b[2]
    return along, e[0] + along * b[0], e[1] + along * b[1]


def larger(x, y):
    """The larger of both, by factors."""
    first = indicator(ufl.gt(x, y))
    return first * x + (1 - first) * y


def off_axis(x, y):
    """Distance from the axis, m."""
    return ufl.sqrt(x**2 + y**2 + TINY_LENGTH**2)
