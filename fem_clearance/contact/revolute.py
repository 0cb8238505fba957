"""Dry revolute clearance joint of planar motion: a journal (frame j) in a bearing (frame i)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from .clearance import ContactLaws, Place
from .journal import JournalClearance
from .laws.friction import FrictionLaw
from .laws.normal import NormalLaw
from .placements.planar import Planar
from .wear.rings import Wear

#: where friction acts
FRICTION_AT = ("midway", "radii")


class RevoluteClearance(JournalClearance):
    """A revolute joint with clearance, dry, for planar motion; its surfaces may wear.

    Only the contact force acts: displacements along ``axis`` and tilts are free. Where no other
    joint keeps a body in the plane, add a ``PlanarJoint`` between the ground and the body.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground); sections of beams too, not cables.
        axis: direction of the bearing's axis at the start, fixed in frame i.
        bearing_radius, journal_radius: m, the bearing larger.
        length: of the bearing along the axis, m.
        normal: normal-force law; default ``Liu()``, with ``stiffness`` ``LankaraniNikravesh()``;
            Bai, Zhang and Sun (2014) use ``BaiZhao()``.
        friction: friction law, or ``None``; needs frames with a triad.
        stiffness: contact stiffness, N/m^1.5, instead of the one of the bodies' materials.
        materials: of both bodies, where the bodies do not know theirs.
        radii: ``"difference"`` or ``"sum"``, see ``sphere_stiffness``; for laws that ask for a
            stiffness.
        approach_floor: least approach speed, m/s, see ``ContactLaws``.
        wear: ``Wear(...)``, or ``None``.
        worn: depths (m) that bearing and journal have lost at the start, as two functions of the
            angle in the body or two arrays over ``wear.bins`` bins.
        friction_at: ``"midway"`` between the overlapping surfaces, where friction leaves no couple;
            ``"radii"``: on each body at its own radius, as in the literature, which leaves the
            couple friction times penetration.
        film: refused; a ``CylindricalClearance`` with ``stations=1`` takes one.
        name: for messages and channels.

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

    See docs/revolute.md. Example::

        fc.RevoluteClearance(ground, body.center, (0, 0, 1), bearing_radius=0.01,
                             journal_radius=0.0095, length=0.015, materials=(steel, steel))
    """

    label, sort = "revolute clearance joint", "clearance_revolute"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        bearing_radius: float,
        journal_radius: float,
        length: float,
        normal: NormalLaw | None = None,
        friction: FrictionLaw | None = None,
        stiffness: float | None = None,
        materials: Sequence[Any] | None = None,
        radii: str = "difference",
        approach_floor: float | None = None,
        wear: Wear | None = None,
        worn: Any = None,
        friction_at: str = "midway",
        film: None = None,
        name: str | None = None,
    ):
        laws = ContactLaws(normal, friction, stiffness, materials, radii, approach_floor)
        super().__init__(
            frame_i, frame_j, axis, bearing_radius, journal_radius, laws, length=length, name=name
        )
        who = self.name or self.label
        self._wears(who, wear, worn)
        midway = checks.choice(f"{who}: friction_at", friction_at, FRICTION_AT) == "midway"
        self.placement = Planar(midway)
        self._fill(film)

    def _places(self):
        gap = self.j.position - self.i.position
        gap = float(np.linalg.norm(gap - (gap @ self.axis) * self.axis))
        if gap > self.clearance * (1 + 1e-9):
            raise InputError(
                f"{self.name}: journal and bearing overlap at the start: their centres are "
                f"{gap:.3g} m apart, but the clearance is only {self.clearance:.3g} m; move "
                "one of the bodies."
            )
        first, second = self._triads()
        numbers = {
            "clearance": self.clearance, "journal_radius": self.contact.radius_j,
            **self._surfaces(0),
        }  # fmt: skip
        kind = self._kind(self.placement, self._rings)
        yield Place(kind, self.i.parameters(first), self.j.parameters(second), numbers)
