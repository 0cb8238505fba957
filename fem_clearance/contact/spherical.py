"""Dry spherical clearance joint: a ball (frame j) inside a socket (frame i)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import ufl
from numpy.typing import ArrayLike

from ..core.observables import Observable
from ..errors import InputError
from .clearance import (
    TINY_LENGTH,
    Clearance,
    ClearanceKind,
    ContactLaws,
    across,
    centre_offsets,
    load_observables,
    touching,
)
from .laws.friction import FrictionLaw
from .laws.normal import NormalLaw


@dataclass(frozen=True)
class SphericalContactKind(ClearanceKind):
    """Tian et al. (2009), section 3, with the corrections E000-1 to E000-4 of docs/errata.md."""

    feeds_energy = False

    geometry: ClassVar[tuple[str, ...]] = ("clearance", "socket_radius", "ball_radius")

    @property
    def label(self):
        return f"spherical clearance ({self.i.label}, {self.j.label})"

    def _geometry(self, c):
        """Centre distance, unit vector from socket to ball centre, depth and its rate."""
        i, j = self.poses(c)
        e = j.r - i.r
        distance = ufl.sqrt(ufl.dot(e, e) + TINY_LENGTH**2)
        return i, j, e, distance, e / distance, distance - c.par("clearance"), c.rate(distance)

    def _sliding(self, c, i, j, n, depth):
        """Velocity of the ball's material point relative to the socket's (E000-1). Both points lie
        midway between the surfaces, which overlap by ``depth``: so friction leaves no couple and
        angular momentum is kept."""
        on_socket = i.velocity + ufl.cross(i.omega, (c.par("socket_radius") + depth / 2) * n)
        on_ball = j.velocity + ufl.cross(j.omega, (c.par("ball_radius") - depth / 2) * n)
        return on_ball - on_socket

    def residual(self, c):
        i, j, e, _, n, depth, rate = self._geometry(c)
        gap, n = c.shared(ufl.as_vector([depth, rate])), c.shared(n)
        force = self.normal_force(c, gap[0], gap[1])
        if not self.friction:
            return force * ufl.dot(n, c.along(e)) * c.dx()
        relative = self._sliding(c, i, j, n, gap[0])
        tangential = c.shared(across(relative, n))
        # the normal force does work on the material points' relative motion too: n is across it
        traction = c.shared(force * (n + self.drag(c, i, tangential, n, c.shared)))
        form = ufl.dot(traction, c.power(relative)) * c.dx()
        if self.remembers:
            form += self.bristle_residual(c, i, tangential, n, touching(gap[0]))
        return form

    def observables(self, c):
        i, j, _, distance, n, depth, rate = self._geometry(c)
        friction, force = 0.0 * depth, -self.normal_force(c, depth, rate) * n
        if self.friction:
            drag = self.drag(c, i, across(self._sliding(c, i, j, n, depth), n), n)
            friction = self.normal_force(c, depth, rate) * ufl.sqrt(ufl.dot(drag, drag))
            force -= self.normal_force(c, depth, rate) * drag
        moment = ufl.cross((c.par("ball_radius") - depth / 2) * n, force)
        return {
            **self.common_observables(c, depth, rate, friction),
            "eccentricity": Observable(distance, "m", "distance of the centres"),
            **centre_offsets(i, j, "ball", "socket"),
            **load_observables(force, moment, "ball", "about its centre"),
        }


class SphericalClearance(Clearance):
    """A spherical joint with clearance, dry.

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
        film: ``Film(...)`` or ``SphericalSqueeze(...)``, makes it a ``LubricatedSpherical``, which
            tells of ``transition``, ``surface`` and ``axis``; ``None``: dry.
        name: for messages and channels.

    Channels: ``eccentricity``, ``penetration`` (m), ``normal_force``, ``friction_force`` (N),
    ``ex ey ez`` (m, ball from socket), ``force.x .. moment.z`` (on the ball, the moment about its
    centre, N and N m), components in space; with bristles ``deflection`` (m).

    Raises:
        InputError: a ball that does not fit or overlaps at the start, no stiffness, something of
            a film without a film.
    """

    label = "spherical clearance joint"
    bodies = ("socket", "ball")

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
        self._fill(name or self.label, film, transition, surface, axis)

    def _fill(self, who: str, film, transition, surface, axis) -> None:
        """Note the film; here there is none."""
        self._without_film(who, transition=transition, surface=surface, axis=axis)

    def build(self, builder) -> None:
        gap = np.linalg.norm(self.j.position - self.i.position)
        if gap > self.clearance * (1 + 1e-9) + self.room:
            raise InputError(
                f"{self.name}: ball and socket overlap at the start: their centres are {gap:.3g} m "
                f"apart, the clearance is {self.clearance:.3g} m."
            )
        self.add_to(builder, self.kind, self.i.parameters(), self.j.parameters(), **self.geometry)

    @property
    def kind(self) -> SphericalContactKind:
        """What the joint's cell is."""
        return SphericalContactKind(self.i.kind, self.j.kind, *self.law_types)

    @property
    def geometry(self) -> dict[str, float]:
        """The cell's own numbers."""
        return {
            "clearance": self.clearance, "socket_radius": self.contact.radius_i,
            "ball_radius": self.contact.radius_j,
        }  # fmt: skip
