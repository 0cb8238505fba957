"""Contact of a journal (frame j) with its bearing (frame i) in space, seen from the bearing.

Nine numbers say how the journal sits in the bearing, all in the bearing's axes: ``e``, its centre;
``b``, its axis; ``f``, a direction across the axis that turns with it (only where friction must
know the spin). A contact gives its depth as a function of these, and the point where friction acts.
Generalised forces follow, and their virtual work is ``dot(forces, c.along(coordinates))``. The
numbers do not change when both bodies move as one: so action equals reaction, and momentum and
angular momentum are kept, whatever the law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import ufl

from ..core.observables import Observable, internal
from .clearance import (
    NOTHING,
    ClearanceKind,
    across,
    identity,
    in_space,
    load_observables,
    touching,
)

#: of slopes, below which nothing is resolved; keeps unit vectors finite
TINY = 1e-15


class Local(NamedTuple):
    """The coordinates as three vectors (``f`` is ``None`` without friction)."""

    e: Any
    b: Any
    f: Any = None


class Contact(NamedTuple):
    """A contact at the coordinates.

    Attributes:
        depth: penetration, m, negative while free.
        share: part of the law's force that acts here.
        arm: from the journal's centre to the point where friction acts, m.
    """

    depth: Any
    share: Any
    arm: Any


class _Axes:
    """The bearing's axes, in themselves."""

    @staticmethod
    def e(k: int):
        return ufl.as_vector([float(k == n) for n in (1, 2, 3)])


AXES = _Axes()


def coordinates(i, j, turning: bool):
    """The nine numbers (six if not ``turning``) of two poses whose third axes are those of bearing
    and journal."""
    vectors = [j.r - i.r, j.e(3)] + [j.e(1)] * turning
    return ufl.as_vector([ufl.dot(x, i.e(k)) for x in vectors for k in (1, 2, 3)])


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
    return _joined(force, ufl.cross(moment, at.b), spin * ufl.cross(at.b, at.f))


def force_and_moment(at: Local, forces):
    """What generalised forces are as a force at the journal's centre and a moment, in the bearing's
    axes (of the journal on the bearing)."""
    by = local(forces)
    moment = ufl.cross(at.b, by.b)
    return by.e, moment if by.f is None else moment + ufl.cross(at.f, by.f)


def _joined(*vectors):
    return ufl.as_vector([x[k] for x in vectors for k in range(3)])


@dataclass(frozen=True)
class SpatialContactKind(ClearanceKind):
    """One place of contact; subclasses say where and how deep in ``contact``."""

    gap_share = "share"
    feeds_energy = False

    @property
    def turning(self) -> bool:
        """Whether the coordinates tell the journal's turn about its axis."""
        return self.friction is not None

    def contact(self, c, s) -> Contact:
        """The contact at the coordinates ``s``."""
        raise TypeError(f"{type(self).__name__} defines no contact()")

    def gradients(self, c, s, as_symbol=identity):
        """The contact, and the gradients of its depth and of its share by the coordinates."""
        at = ufl.variable(s)
        found = self.contact(c, at)
        return found, ufl.diff(found.depth, at), ufl.diff(found.share, at)

    def _forces(self, c, s, change, as_symbol=identity):
        """The contact, its rate, the sliding velocity, friction, and the generalised forces."""
        found, slope, longer = self.gradients(c, s, as_symbol)
        rate = ufl.dot(slope, change)
        law = self.normal_force(c, found.depth, rate)
        # a contact that gets longer stores more: without this force along the axis, the energy of
        # a journal that slides out of its bearing would not balance
        stored = c.par("active") * touching(found.depth) * self.stored(c, found.depth)
        forces = found.share * law * slope + stored * longer
        if not self.friction:
            return found, rate, None, None, forces
        sliding, n = self.sliding(s, change, found, slope, as_symbol)
        drag = self.drag(c, AXES, sliding, n, as_symbol)
        friction = as_symbol(found.share * law * drag)
        forces += generalised(local(s), friction, found.arm)
        return found, rate, (sliding, n), friction, forces

    def sliding(self, s, change, found: Contact, slope, as_symbol=identity):
        """Velocity at which the surfaces slide (needs the journal's turn), and the unit normal."""
        toward = ufl.as_vector([slope[k] for k in range(3)])
        n = as_symbol(toward / ufl.sqrt(ufl.dot(toward, toward) + TINY))
        return as_symbol(across(velocity(local(s), local(change), found.arm), n)), n

    def residual(self, c):
        where = coordinates(*self.poses(c), self.turning)
        s, change = c.shared(where), c.shared(c.rate(where))
        found, _, sliding, _, forces = self._forces(c, s, change, c.shared)
        form = ufl.dot(c.shared(forces), c.along(where)) * c.dx()
        if self.remembers:
            along, n = sliding
            form += self.bristle_residual(c, AXES, along, n, touching(found.depth))
        return form

    def observables(self, c):
        i, j = self.poses(c)
        s = coordinates(i, j, self.turning)
        found, rate, sliding, friction, forces = self._forces(c, s, c.rate(s))
        size, lost = 0.0 * found.depth, 0.0 * found.depth
        if self.friction:
            size, lost = _size(friction), ufl.dot(friction, sliding[0])
        result = self.common_observables(c, found.depth, rate, size, found.share)
        # places of contact add up in channels: keep what may be added
        for name in ("penetration", "deflection"):
            result.pop(name, None)
        result["friction_loss"] = Observable(lost, "W", "power lost to friction")
        touches = touching(found.depth) * touching(found.share)
        result |= internal({"share": found.share})
        result["contacts"] = Observable(touches, "", "places that touch, of those looked at")
        force, moment = (-in_space(i, x) for x in force_and_moment(local(s), forces))
        return result | load_observables(force, moment, "journal", "about its centre")


def _size(vector):
    return ufl.sqrt(ufl.dot(vector, vector) + NOTHING)
