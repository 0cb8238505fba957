"""A ball (frame j) in a socket (frame i)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import ufl

from ...core.observables import Observable
from ..forms import across, centre_offsets, length, load_observables
from .touch import Placement, Touch


@dataclass(frozen=True)
class Ball(Placement):
    """Tian et al. (2009), section 3, with the corrections of docs/errata.md.

    Forces by the virtual power of the two material points in contact, not by coordinates: these
    would be twelve, and the tangent would take far longer to compile. Vectors are in space.
    """

    label: ClassVar[str] = "spherical clearance"

    parameters: ClassVar[tuple[str, ...]] = ("clearance", "socket_radius", "ball_radius")

    def touch(self, kind, c, as_symbol) -> Touch:
        i, j = kind.poses(c)
        e = j.r - i.r
        distance = length(e)
        gap = ufl.as_vector([distance - c.par("clearance"), c.rate(distance)])
        gap, n = as_symbol(gap), as_symbol(e / distance)
        sliding = relative = None
        if kind.friction is not None:
            relative = self.velocity(c, i, j, n, gap[0])
            sliding = as_symbol(across(relative, n))

        def work(force):
            # the rotations move the material points across n only, so that the normal force does
            # the same work on their relative velocity as on that of the centres
            moved = c.along(e) if relative is None else c.power(relative)
            return ufl.dot(as_symbol(force), moved)

        return Touch(gap[0], gap[1], n, n, sliding, work, frame=i)

    @staticmethod
    def velocity(c, i, j, n, depth):
        """Velocity of the ball's material point relative to the socket's. Both points lie
        midway between the surfaces, which overlap by ``depth``: so friction leaves no couple and
        angular momentum is kept."""
        on_socket = i.velocity + ufl.cross(i.omega, (c.par("socket_radius") + depth / 2) * n)
        on_ball = j.velocity + ufl.cross(j.omega, (c.par("ball_radius") - depth / 2) * n)
        return on_ball - on_socket

    def observables(self, kind, c, at, forces):
        i, j = kind.poses(c)
        moment = ufl.cross((c.par("ball_radius") - at.depth / 2) * at.normal, -forces)
        speed = 0.0 * at.depth if at.sliding is None else length(at.sliding)
        return {
            "sliding_speed": Observable(speed, "m/s", "speed of the surfaces on each other"),
            "eccentricity": Observable(length(j.r - i.r), "m", "distance of the centres"),
            **centre_offsets(i, j, "ball", "socket"),
            **load_observables(-forces, moment, "ball", "about its centre"),
        }
