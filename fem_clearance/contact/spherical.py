"""Spherical clearance joint: a ball (frame j) inside a socket (frame i)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .clearance import Clearance, ContactLaws, Place
from .laws.friction import FrictionLaw
from .laws.normal import NormalLaw
from .placements.ball import Ball


class SphericalClearance(Clearance):
    """A spherical joint with clearance, dry or filled with lubricant.

    Args:
        frame_i, frame_j: socket and ball centres (or one of them and a rigid body or the ground).
        socket_radius, ball_radius: m, the socket larger.
        normal: normal-force law; default ``LankaraniNikravesh()``.
        friction: friction law, or ``None``; needs frames with a triad.
        stiffness: contact stiffness, N/m^1.5, instead of the one of the bodies' materials.
        materials: of both bodies, where the bodies do not know theirs.
        radii: ``"difference"`` or ``"sum"``, see ``sphere_stiffness``; for laws that ask for a
            stiffness.
        approach_floor: least approach speed, m/s, see ``ContactLaws``.
        film: ``Film(...)`` or ``SphericalSqueeze(...)``; ``None``: dry. See
            ``LubricatedSpherical``, also for ``transition``, ``surface`` and ``axis``.
        name: for messages and channels.

    Channels: ``eccentricity``, ``penetration`` (m), ``normal_force``, ``friction_force`` (N),
    ``sliding_speed`` (m/s, with friction), ``friction_loss`` (W), ``ex ey ez`` (m, ball from
    socket), ``force.x .. moment.z`` (on the ball, the moment about its centre, N and N m),
    components in space; with bristles ``deflection`` (m).

    Raises:
        InputError: a ball that does not fit or overlaps at the start, no stiffness, something of
            a film without a film.

    See docs/contact.md. Example::

        fc.SphericalClearance(ground, body.center, socket_radius=0.02, ball_radius=0.018,
                              normal=fc.LankaraniNikravesh(restitution=0.9), stiffness=1e9)
    """

    label = "spherical clearance joint"
    sort, bodies = "clearance_spherical", ("socket", "ball")

    def __init__(
        self,
        frame_i,
        frame_j,
        *,
        socket_radius: float,
        ball_radius: float,
        normal: NormalLaw | None = None,
        friction: FrictionLaw | None = None,
        stiffness: float | None = None,
        materials: Sequence[Any] | None = None,
        radii: str = "difference",
        approach_floor: float | None = None,
        film: Any = None,
        transition: Any = None,
        surface: str | None = None,
        axis: ArrayLike | None = None,
        name: str | None = None,
    ):
        laws = ContactLaws(normal, friction, stiffness, materials, radii, approach_floor)
        super().__init__(frame_i, frame_j, socket_radius, ball_radius, laws, name=name)
        self._fill(film, transition=transition, surface=surface, axis=axis)

    def _places(self):
        gap = np.linalg.norm(self.j.position - self.i.position)
        if gap > self.clearance * (1 + 1e-9) + self.room:
            raise InputError(
                f"{self.name}: ball and socket overlap at the start: their centres are "
                f"{gap:.3g} m apart, but the clearance is only {self.clearance:.3g} m; move "
                "one of the bodies."
            )
        radii = {"socket_radius": self.contact.radius_i, "ball_radius": self.contact.radius_j}
        numbers = {"clearance": self.clearance, **radii}
        yield Place(self._kind(Ball()), self.i.parameters(), self.j.parameters(), numbers)
