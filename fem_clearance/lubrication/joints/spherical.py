"""The film of a spherical joint: between a ball and its socket, over their dry contact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ... import checks
from ...contact.films import film_part
from ...contact.spherical import SphericalClearance
from ...core.component import Cell
from ...errors import InputError
from ...model.frame import triad_about
from ..closed_forms.spherical import (
    SphericalSqueeze,
    SphericalSqueezeKind,
)
from ..film.film import Film
from ..film.thickness import SphereGap
from .joint import add_film, check_same, shown
from .least_film import add_least_film
from .port import PortKind, TurningPortKind
from .transition import SharingKind, Transition, UnderFilmKind, check_smooth

#: distance of the centres, as a part of the clearance, within which the line of centres bends
#: towards a fixed direction, so that it turns smoothly where the ball passes the centre
CENTRE = 1e-4


class LubricatedSpherical(SphericalClearance):
    """A spherical joint with clearance, filled with lubricant, and dry contact under the film: a
    ``SphericalClearance`` with a ``film``, which must be given.

    A ``Film`` has the clearance of the joint and a transition, point by point, where it is thinner
    than ``transition.band`` (thickness.py); the law of the dry contact acts where the surfaces
    meet. The squeeze film of Tian et al. (2009), section 4, has an enlarged clearance and shares
    the load with the dry contact (transition.py).

    Args:
        frame_i, frame_j: socket and ball centres (or one of them and a rigid body or the ground).
        film: ``SphericalSqueeze(viscosity)``, the closed form; or a ``Film`` on a spherical surface
            with ``gap=SphereGap()`` and the joint's radius and clearance, which needs frames with a
            triad.
        surface: where a ``Film`` lies: ``"turning"`` (the default), its third axis follows the
            line of centres (a hemisphere is then that of the closed form); ``"fixed"``, in the
            socket.
        axis: of a ``Film``: direction of its third axis at the start in a centred joint; default
            (0, 0, 1).
        transition: where dry contact takes over; default ``Transition()``.

    All others are those of the dry joint, see ``SphericalClearance``.

    Channels: those of the dry joint, ``normal_force`` and ``force.x .. moment.z`` being those of
    film and contact together; ``film_force``, ``contact_force`` (N), ``power_loss`` (W, of the
    film); of a ``Film`` also ``min_film`` (m, negative where the surfaces overlap), and
    ``e1 .. v3`` and ``max_pressure`` as of ``CylindricalFilm``.

    Raises:
        InputError: besides those of the dry joint, something that is no film, or one of another
            radius or clearance.

    See docs/lubricated_joints.md. Example::

        lubrication.LubricatedSpherical(
            ground, body.center, socket_radius=0.02, ball_radius=0.018, materials=(steel, steel),
            film=lubrication.SphericalSqueeze(0.4))
    """

    label = "lubricated spherical joint"
    needs_film = True


@film_part.register(SphericalClearance)
class BallFilm:
    """The film in a ``SphericalClearance``, a ``FilmPart``; arguments as the joint's."""

    label = "lubricated spherical joint"

    def __init__(
        self, joint: SphericalClearance, film, *, transition=None, surface=None, axis=None
    ):
        who = joint.name or self.label
        self.joint, self.film = joint, film
        self.transition = Transition() if transition is None else transition
        given = "turning" if surface is None else surface
        self.turning = checks.choice(f"{who}: surface", given, ("turning", "fixed")) == "turning"
        axis = (0, 0, 1) if axis is None else axis
        self.triad = triad_about(checks.direction(f"{who}: axis", axis))
        if isinstance(film, Film):
            self._check(film, who)
            self.film = replace(film, least=self.room)
        elif not isinstance(film, SphericalSqueeze):
            raise InputError(
                f"{who}: film must be a Film or a SphericalSqueeze(viscosity), got {film!r}."
            )

    def _check(self, film: Film, who: str):
        check_smooth(who, film)
        if not isinstance(film.gap, SphereGap):
            raise InputError(f"{who}: the film of a ball needs gap=SphereGap().")
        if film.thermal is not None and self.turning:
            raise InputError(
                f"{who}: the axes of its film follow the line of centres, and the oil's "
                'temperature would turn along; give surface="fixed", or no thermal.'
            )
        radius, joint = np.linalg.norm(film.surface.points[0]), self.joint
        check_same(who, "radius", radius, joint.contact.radius_i)
        check_same(who, "clearance", film.clearance, joint.clearance)
        for frame in (joint.i, joint.j):
            frame.needs_triad(f"{who} with a Film")

    @property
    def room(self) -> float:
        """Depth of the band of the transition, m."""
        return self.transition.band * self.joint.clearance

    def under(self, kind, numbers):
        """The dry contact; with a squeeze film it shares."""
        if isinstance(self.film, Film):
            return UnderFilmKind.of(kind), numbers
        return SharingKind.of(kind), {**numbers, "band": self.room}

    def portrait(self):
        if not isinstance(self.film, Film):
            return {"films": []}
        joint = self.joint
        return {"films": [shown(joint.name, joint.i, self.triad, turning=self.turning)]}

    def build(self, builder) -> None:
        """Add the film and the watch on its thickness."""
        joint, c, band = self.joint, self.joint.clearance, self.room
        i, j = joint.i, joint.j
        if isinstance(self.film, Film):
            kind: PortKind
            numbers: dict[str, Any] = {}
            if self.turning:
                kind = TurningPortKind(i.kind, j.kind, over_contact=True)
                numbers = {"centre": CENTRE * c}
            else:
                kind = PortKind(i.kind, j.kind, spherical=True, over_contact=True)
            add_film(joint, builder, self.film, kind, (self.triad, self.triad), **numbers)
            add_least_film(joint, builder, (self.triad, self.triad), c, None, None, band)
            return
        wide = c * (1 + self.transition.margin)
        squeeze = SphericalSqueezeKind(i.kind, j.kind)
        parameters = squeeze.pack_pair(
            i.parameters(), j.parameters(), clearance=wide, start=c, band=band,
            floor=joint.floor or 0.0,
            coefficient=6 * np.pi * self.film.viscosity * joint.contact.radius_i**4 / wide**3,
        )  # fmt: skip
        builder.add_cell(squeeze, Cell(joint.name, [*i.refs, *j.refs], parameters))
