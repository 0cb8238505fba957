"""Lubricated spherical joint: a ball in a socket, a film between them, dry contact under it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ... import checks
from ...contact.spherical import SphericalClearance
from ...core.component import Cell
from ...errors import InputError
from ...model.frame import triad_about
from ..closed_forms.spherical import (
    FilmedContactKind,
    SharingContactKind,
    SphericalSqueeze,
    SphericalSqueezeKind,
)
from ..film.film import Film
from ..film.thickness import SphereGap
from .joint import add_film, check_same
from .least_film import add_least_film
from .port import PortKind, TurningPortKind
from .transition import Transition, check_smooth

#: distance of the centres, as a part of the clearance, within which the line of centres bends
#: towards a fixed direction, so that it turns smoothly where the ball passes the centre
CENTRE = 1e-4


class LubricatedSpherical(SphericalClearance, films=True):
    """A spherical joint with clearance, filled with lubricant, and dry contact under the film.

    A ``Film`` has the joint's clearance and a transition, place by place, where it gets thinner
    than ``transition.band`` (thickness.py); the dry contact's law acts where the surfaces meet. The
    squeeze film of Tian et al. (2009), section 4, has an enlarged clearance and shares with the dry
    contact (transition.py).

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
    film); of a ``Film`` also ``min_film`` (m, negative where the surfaces overlap).

    Raises:
        InputError: besides those of the dry joint, something that is no film, or one of another
            radius or clearance.
    """

    label = "lubricated spherical joint"

    def _fill(self, who: str, film, transition, surface, axis) -> None:
        self.transition = Transition() if transition is None else transition
        given = "turning" if surface is None else surface
        self.turning = checks.choice(f"{who}: surface", given, ("turning", "fixed")) == "turning"
        axis = (0, 0, 1) if axis is None else axis
        self.triad = triad_about(checks.direction(f"{who}: axis", axis))
        self.film = film
        if isinstance(film, Film):
            self._check(film, who)
        elif not isinstance(film, SphericalSqueeze):
            raise InputError(
                f"{who}: film must be a Film or a SphericalSqueeze(viscosity), got {film!r}."
            )

    def _check(self, film: Film, who: str):
        check_smooth(who, film)
        if not isinstance(film.gap, SphereGap):
            raise InputError(f"{who}: the film of a ball needs gap=SphereGap().")
        check_same(who, "radius", np.linalg.norm(film.surface.points[0]), self.contact.radius_i)
        check_same(who, "clearance", film.clearance, self.clearance)
        for frame in (self.i, self.j):
            frame.needs_triad(f"{who} with a Film")

    @property
    def kind(self):
        kind = FilmedContactKind if isinstance(self.film, Film) else SharingContactKind
        return kind(self.i.kind, self.j.kind, *self.law_types)

    @property
    def geometry(self):
        sharing = {} if isinstance(self.film, Film) else {"band": self.room}
        return super().geometry | sharing

    @property
    def room(self):
        return self.transition.band * self.clearance

    def build(self, builder) -> None:
        super().build(builder)
        c, band = self.clearance, self.room
        if isinstance(self.film, Film):
            frames = self.i.kind, self.j.kind
            kind: PortKind
            numbers: dict[str, Any] = {}
            if self.turning:
                kind, numbers = TurningPortKind(*frames, over_contact=True), {"centre": CENTRE * c}
            else:
                kind = PortKind(*frames, spherical=True, over_contact=True)
            film = replace(self.film, least=band)
            add_film(self, builder, film, kind, (self.triad, self.triad), **numbers)
            add_least_film(self, builder, (self.triad, self.triad), c, None, None, band)
            return
        wide = c * (1 + self.transition.margin)
        squeeze = SphericalSqueezeKind(self.i.kind, self.j.kind)
        parameters = squeeze.pack_pair(
            self.i.parameters(), self.j.parameters(), clearance=wide, start=c, band=band,
            floor=self.floor or 0.0,
            coefficient=6 * np.pi * self.film.viscosity * self.contact.radius_i**4 / wide**3,
        )  # fmt: skip
        builder.add_cell(squeeze, Cell(self.name, [*self.i.refs, *self.j.refs], parameters))
