"""Dry revolute clearance joint of planar motion: a journal (frame j) in a bearing (frame i)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import ufl

from .. import checks
from ..bodies.frame import triad_about
from ..core.kind import Observable
from ..errors import InputError
from . import planar
from .advice import recommend_step
from .clearance import (
    ClearanceKind,
    as_it_is,
    centre_offsets,
    load_observables,
    touching,
)
from .spatial import AXES
from .wear import Wear
from .wearing import WearingJournal

#: where friction acts
FRICTION_AT = ("midway", "radii")


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

    def friction_ratio(self, c, n, speed, share=as_it_is):
        """Friction by normal force at a sliding ``speed``, of its sign."""
        normal, along = planar.directions(n)
        return ufl.dot(self.drag(c, AXES, speed * along, normal, share), along)

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


class RevoluteClearance(WearingJournal):
    """A revolute joint with clearance, dry, for planar motion; its surfaces may wear.

    It holds nothing but what the contact holds: shifts along ``axis`` and tilts are free. Where no
    other joint keeps a body in the plane, add a ``PlanarJoint`` from the ground to it.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground); sections of beams too, not cables.
        axis: direction of the bearing's axis at the start, fixed in frame i.
        bearing_radius, journal_radius: m, the bearing larger.
        length: of the bearing along the axis, m.
        wear: ``Wear(...)``, or ``None``.
        worn: depths (m) that bearing and journal have lost at the start, as two functions of the
            angle in the body or two arrays over ``wear.bins`` bins.
        friction_at: ``"midway"`` between the overlapping surfaces, where friction leaves no couple;
            ``"radii"``: on each body at its own radius, as in the literature, which leaves the
            couple friction times penetration.
        options: ``normal``, ``friction``, ``stiffness``, ``materials``, ``approach_floor``,
            ``name``: see ``JournalClearance``; ``BaiZhao`` is the paper's normal law.

    Channels: ``eccentricity`` (m), ``penetration`` (m), ``normal_force``, ``friction_force`` (N),
    ``sliding_speed`` (m/s), ``friction_loss`` (W), ``ex ey ez`` (m, journal from bearing),
    ``force.x .. moment.z`` (on the journal, the moment about its centre, N and N m), components in
    space, ``bearing_angle_deg`` and ``journal_angle_deg``, the direction of the journal's centre
    in either body. With wear also ``bearing_wear``, ``journal_wear`` and ``clearance`` where the
    surfaces touch, ``largest_clearance`` (m), ``worn_volume`` (m^3), ``slid`` (m),
    ``contact_centre_deg``.

    Raises:
        InputError: no axis, a journal that does not fit or overlaps at the start, a cable, wear
            without materials.
    """

    label = "revolute clearance joint"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis=None,
        *,
        wear: Wear | None = None,
        worn=None,
        friction_at: str = "midway",
        **options,
    ):
        super().__init__(frame_i, frame_j, axis, **options)
        who = self.name or self.label
        self.wears(who, wear, worn)
        self.midway = checks.choice(f"{who}: friction_at", friction_at, FRICTION_AT) == "midway"

    def build(self, system) -> None:
        gap = self.j.position - self.i.position
        gap = float(np.linalg.norm(gap - (gap @ self.axis) * self.axis))
        if gap > self.clearance * (1 + 1e-9):
            raise InputError(
                f"{self.name}: journal and bearing overlap at the start: their centres are "
                f"{gap:.3g} m apart, the clearance is {self.clearance:.3g} m."
            )
        laws = self.i.kind, self.j.kind, *self.law_types, self.midway
        triad = triad_about(self.axis)
        numbers = {"clearance": self.clearance, "journal_radius": self.contact.radius_j}
        if self.wear is None:
            kind = RevoluteContactKind(*laws)
        else:
            from .worn_kinds import WornContactKind

            kind = WornContactKind(*laws, **self.wear.options)
            numbers |= self.surfaces(0)
        self.add_to(system, kind, self.i.parameters(triad), self.j.parameters(triad), **numbers)
        recommend_step(self)
