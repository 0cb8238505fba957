"""Dry spherical clearance joint: a ball (frame j) inside a socket (frame i)."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import ufl

from .. import checks
from ..component import Cell, Observable
from ..errors import InputError
from ..joints.pair import PairKind, resolve
from .friction import FrictionLaw
from .normal import LankaraniNikravesh, NormalLaw, contact_force, sphere_stiffness

#: lengths and speeds below which nothing is resolved; keep unit vectors finite at the centre, at
# rest
TINY_LENGTH, TINY_SPEED = 1e-15, 1e-10


@dataclass(frozen=True)
class SphericalContactKind(PairKind):
    """Tian et al. (2009), section 3, with the corrections E000-1 to E000-4 of docs/errata.md."""

    normal: type[NormalLaw] = LankaraniNikravesh
    friction: type[FrictionLaw] | None = None

    #: observables that time stepping watches: depth (negative while free), its rate and
    # acceleration
    gap = ("depth", "depth_rate", "depth_acceleration")

    @property
    def jumps(self) -> bool:
        return self.normal.jumps

    @property
    def label(self):
        return f"spherical clearance ({self.i.label}, {self.j.label})"

    @property
    def own_parameters(self):
        friction = self.friction.parameters if self.friction else ()
        names = (
            "approach",
            "touching",
            "active",
            "floor",
            "clearance",
            "socket_radius",
            "ball_radius",
        )
        return {n: () for n in (*names, *self.normal.parameters, *friction)}

    def _geometry(self, c):
        """Centre distance, unit vector from socket to ball centre, depth and its rate."""
        i, j = self.poses(c)
        e = j.r - i.r
        distance = ufl.sqrt(ufl.dot(e, e) + TINY_LENGTH**2)
        return i, j, e, distance, e / distance, distance - c.par("clearance"), c.rate(distance)

    def _numbers(self, c, law):
        return SimpleNamespace(**{n: c.par(n) for n in law.parameters})

    def _normal_force(self, c, depth, rate):
        numbers = self._numbers(c, self.normal)
        return c.par("active") * contact_force(self.normal, depth, rate, c.par("approach"), numbers)

    def _sliding(self, c, i, j, n, depth):
        """Velocity of the ball's material point relative to the socket's (E000-1), its tangential
        part and speed. Both points lie midway between the surfaces, which overlap by ``depth``: so
        friction leaves no couple and angular momentum is kept."""
        on_socket = i.velocity + ufl.cross(i.omega, (c.par("socket_radius") + depth / 2) * n)
        on_ball = j.velocity + ufl.cross(j.omega, (c.par("ball_radius") - depth / 2) * n)
        relative = on_ball - on_socket
        tangential = relative - ufl.dot(relative, n) * n
        return relative, tangential, ufl.sqrt(ufl.dot(tangential, tangential) + TINY_SPEED**2)

    def residual(self, c):
        i, j, e, _, n, depth, rate = self._geometry(c)
        gap, n = c.shared(ufl.as_vector([depth, rate])), c.shared(n)
        force = self._normal_force(c, gap[0], gap[1])
        if not self.friction:
            return force * ufl.dot(n, c.along(e)) * c.dx()
        relative, tangential, _ = self._sliding(c, i, j, n, gap[0])
        tangential = c.shared(tangential)
        speed = ufl.sqrt(ufl.dot(tangential, tangential) + TINY_SPEED**2)
        coefficient = self.friction.coefficient(speed, self._numbers(c, self.friction))
        # the normal force does work on the material points' relative motion too: n is across it
        traction = c.shared(force * n + coefficient * force / speed * tangential)
        return ufl.dot(traction, c.power(relative)) * c.dx()

    def observables(self, c):
        i, j, e, distance, n, depth, rate = self._geometry(c)
        force = self._normal_force(c, depth, rate)
        touching = ufl.gt(depth, 0)
        friction = 0.0 * force
        if self.friction:
            _, _, speed = self._sliding(c, i, j, n, depth)
            friction = self.friction.coefficient(speed, self._numbers(c, self.friction)) * force
        acceleration = ufl.derivative(rate, c.q, c.v) + ufl.derivative(rate, c.v, c.a)
        energy = self.normal.energy(depth, self._numbers(c, self.normal))
        result = {
            "depth": Observable(depth, "m", "penetration, negative while free", "", False),
            "depth_rate": Observable(rate, "m/s", "rate of penetration", "", False),
            "depth_acceleration": Observable(acceleration, "m/s^2", "", "", False),
            "eccentricity": Observable(distance, "m", "distance of the centres"),
            "penetration": Observable(ufl.conditional(touching, depth, 0.0), "m", "penetration"),
            "normal_force": Observable(force, "N", "normal contact force"),
            "friction_force": Observable(friction, "N", "size of the friction force"),
            "contact_energy": Observable(
                ufl.conditional(touching, energy, 0.0),
                "J",
                "elastic energy of contacts",
                "energy.contact",
                False,
            ),
        }
        for k, x in enumerate("xyz"):
            result["e" + x] = Observable(e[k], "m", f"{x} of the ball's centre from the socket's")
        return result


class SphericalClearance:
    """A spherical joint with clearance, dry.

    Args:
        frame_i, frame_j: socket and ball centres (or one of them and a rigid body or the ground).
        socket_radius, ball_radius: m, the socket larger.
        normal: normal-force law.
        friction: friction law, or ``None``; needs frames with a triad.
        radii: see ``sphere_stiffness``.
        stiffness: contact stiffness, N/m^1.5, instead of the one of the bodies' materials.
        materials: of socket and ball, where the bodies do not know theirs.
        approach_floor: least approach speed in m/s that hysteresis is measured by: entries slower
            than that count as this fast.
        name: for messages and channels.
    """

    prefix = "spherical_clearance"

    def __init__(
        self,
        frame_i,
        frame_j,
        *,
        socket_radius,
        ball_radius,
        normal=None,
        friction=None,
        radii="difference",
        stiffness=None,
        materials=None,
        approach_floor=1e-3,
        name=None,
    ):
        self.name = name
        who = name or "spherical clearance joint"
        self.i, self.j = resolve(frame_i, frame_j, who)
        self.socket_radius = checks.positive(f"{who}: socket_radius", socket_radius)
        self.ball_radius = checks.positive(f"{who}: ball_radius", ball_radius)
        if self.ball_radius >= self.socket_radius:
            raise InputError(
                f"{who}: the ball (radius {ball_radius:g} m) does not fit into the socket "
                f"(radius {socket_radius:g} m); the clearance must be positive."
            )
        self.clearance = self.socket_radius - self.ball_radius
        self.normal = LankaraniNikravesh() if normal is None else normal
        if not isinstance(self.normal, NormalLaw):
            raise InputError(
                f"{who}: normal must be a normal-force law such as Hertz(), got {normal!r}."
            )
        self.friction = friction
        if friction is not None:
            if not isinstance(friction, FrictionLaw):
                raise InputError(
                    f"{who}: friction must be a friction law or None, got {friction!r}."
                )
            for frame in (self.i, self.j):
                frame.needs_triad(f"{who} with friction")
        self.radii = checks.choice(f"{who}: radii", radii, ("difference", "sum"))
        self.floor = checks.positive(f"{who}: approach_floor", approach_floor)
        self.stiffness = self._stiffness(who, stiffness, materials)

    def _stiffness(self, who, stiffness, materials) -> float:
        if stiffness is not None:
            return checks.positive(f"{who}: stiffness", stiffness)
        given = materials or [getattr(f.body, "material", None) for f in (self.i, self.j)]
        known = [m for m in given if m is not None]
        if not known:
            raise InputError(
                f"{who}: neither body has a material; give stiffness= in N/m^1.5 or materials=."
            )
        first, second = (given[0] or known[0]), (given[1] or known[0])
        return sphere_stiffness(self.socket_radius, self.ball_radius, first, second, self.radii)

    def build(self, system) -> None:
        gap = np.linalg.norm(self.j.position - self.i.position)
        if gap > self.clearance * (1 + 1e-9):
            raise InputError(
                f"{self.name}: ball and socket overlap at the start: their centres are {gap:.3g} m "
                f"apart, the clearance is {self.clearance:.3g} m."
            )
        friction = type(self.friction) if self.friction else None
        kind = SphericalContactKind(self.i.kind, self.j.kind, type(self.normal), friction)
        numbers = kind.pack_pair(
            self.i.parameters(), self.j.parameters(), approach=self.floor, touching=0.0, active=1.0,
            floor=self.floor, clearance=self.clearance, socket_radius=self.socket_radius,
            ball_radius=self.ball_radius, **self.normal.values(self.stiffness),
            **(self.friction.values() if self.friction else {}),
        )  # fmt: skip
        system.add_cell(kind, Cell(self.name, [*self.i.refs, *self.j.refs], numbers))
        system.connect(self.i.body, self.j.body)
