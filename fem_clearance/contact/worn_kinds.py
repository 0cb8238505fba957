"""Kinds of clearance joints whose surfaces wear: revolute, and cylindrical slice by slice."""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ..core.observables import Observable
from . import planar
from .clearance import identity, touching
from .journal_kinds import (
    CylindricalContactKind,
    CylindricalPoseKind,
    RevoluteContactKind,
    crossing,
)
from .spatial import Contact, coordinates, local
from .wear.surfaces import WornSurfaces


@dataclass(frozen=True)
class WornContactKind(WornSurfaces, RevoluteContactKind):
    """The one line of contact of a revolute joint."""

    @property
    def label(self):
        return f"worn revolute clearance ({self.i.label}, {self.j.label})"

    def observables(self, c):
        s = planar.coordinates(*self.poses(c))
        return {**super().observables(c), **self.wear_observables(c, s)}


@dataclass(frozen=True)
class WornSliceKind(WornSurfaces, CylindricalContactKind):
    """A slice of a bearing across its axis, and of the journal in it.

    Contact is that of a revolute joint whose journal has its centre where the journal's axis
    crosses the slice's middle and turns as the journal does about its own axis.
    """

    @property
    def label(self):
        return f"worn cylindrical clearance ({self.i.label}, {self.j.label})"

    @property
    def turning(self):
        return True

    def at_slice(self, c, s):
        """Distance along the journal's axis to the slice, m, and the planar coordinates there.

        The turn is the one that is left when the shortest rotation has laid the journal's axis on
        the bearing's: a steady spin of a tilted journal stays steady.
        """
        e, b, f = local(s)
        g = ufl.cross(b, f)
        along, x, y = crossing(e, b, c.par("station") * c.par("bearing_half"))
        return along, ufl.as_vector([x, y, f[0] + g[1], f[1] - g[0]])

    def gradients(self, c, s, as_symbol=identity):
        at = ufl.variable(s)
        along, where = self.at_slice(c, at)
        by = ufl.diff(where, at)
        # what follows sees four numbers: shared, so that tangents need not see through to nine
        where = ufl.variable(as_symbol(where))
        depth = self.depth(c, where)
        slope = ufl.diff(depth, where)
        found = as_symbol(ufl.as_vector([depth, *(slope[k] for k in range(4))]))
        depth, slope = found[0], ufl.as_vector([found[k + 1] for k in range(4)])
        n = planar.normal(slope)
        out = self.radius(c) - depth / 2  # friction acts midway between the surfaces
        arm = along * local(s).b + ufl.as_vector([out * n[0], out * n[1], 0 * out])
        return Contact(depth, c.par("weight"), arm), as_symbol(ufl.dot(slope, by)), ufl.zero(len(s))

    def observables(self, c):
        s = coordinates(*self.poses(c), True)
        found, slope, _ = self.gradients(c, s)
        velocity, _ = self.sliding(s, c.rate(s), found, slope)
        pressed = touching(found.depth) * found.depth
        return {
            **super().observables(c),
            **self.wear_observables(c, self.at_slice(c, s)[1]),
            "penetration": Observable(pressed, "m", "penetration of a slice", each=True),
            "sliding_speed": Observable(
                ufl.sqrt(ufl.dot(velocity, velocity)), "m/s",
                "speed of the surfaces on each other", each=True,
            ),
        }  # fmt: skip


@dataclass(frozen=True)
class WornPoseKind(CylindricalPoseKind):
    """How the journal sits in the bearing; slices tell what penetrates."""

    def observables(self, c):
        result = super().observables(c)
        result.pop("penetration")
        return result
