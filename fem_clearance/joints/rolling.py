"""Rolling without slipping: discs and balls on planes, balls in sockets, pinions on racks.

At the contact the bodies move as one: the slip velocity

    s = v_j + omega_j x p - v_i - omega_i x (r_j + p - r_i),

p from the centre of the rolling body to the contact, has no component in the common tangent plane.
These two conditions are not derivatives of conditions on positions (they are nonholonomic; Neimark
and Fufaev 1972) and are imposed on velocities. In the normal direction the bodies remain in
contact, a condition on positions. A pinion on a rack has one condition, which can be integrated and
is imposed on positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import multipliers
from ..core.mixins import SteadyParameters
from ..core.observables import Observable, internal
from ..core.roles import TRANSLATION
from ..core.symbols import Symbols, total
from ..errors import InputError
from ..model.frame import Pose, triad_about
from ..model.pair import Pair, PairKind
from ..model.portrait import Portrait
from .ideal import ConstraintKind, channels, force_on


class Touch(NamedTuple):
    """A contact in UFL.

    Attributes:
        gap: what must be zero for the bodies to touch, m.
        normal: unit vector towards frame j.
        tangents: two unit vectors across it.
        arm: from frame j to the contact, m.
    """

    gap: Any
    normal: Any
    tangents: tuple[Any, Any]
    arm: Any


@dataclass(frozen=True)
class RollingKind(PairKind):
    """gap = 0 on positions, s . t1 = s . t2 = 0 on velocities; subclasses define the contact.

    The multipliers are the force on frame i: along the normal and the tangents.
    """

    feeds_energy = False
    conservative = True
    own_fields: ClassVar = {"lam": (3,)}
    own_parameters: ClassVar = {"radius": ()}

    def touch(self, c: Symbols, i: Pose, j: Pose) -> Touch:
        """Where the bodies touch."""
        raise TypeError("a kind of rolling defines touch()")

    def sliding(self, i: Pose, j: Pose, arm):
        """Velocity of frame j's body past frame i's at the contact, m/s."""
        on_j = j.velocity + ufl.cross(j.omega, arm)
        return on_j - i.velocity - ufl.cross(i.omega, j.r + arm - i.r)

    def residual(self, c):
        i, j = self.poses(c)
        lam, test = c.split(c.q)[2], c.split(c.test)[2]
        touch = self.touch(c, i, j)
        speed = self.sliding(i, j, c.shared(touch.arm))
        pull = c.shared(total(lam[k + 1] * t for k, t in enumerate(touch.tangents)))
        across = total(test[k + 1] * t for k, t in enumerate(touch.tangents))
        form = c.along(lam[0] * touch.gap) + ufl.dot(pull, c.power(speed))
        return (form + ufl.dot(across, c.shared(speed))) * c.dx()

    def observables(self, c):
        i, j = self.poses(c)
        touch, lam = self.touch(c, i, j), c.split(c.q)[2]
        pull = total(lam[k + 1] * t for k, t in enumerate(touch.tangents))
        speed = self.sliding(i, j, touch.arm)
        slip = [ufl.dot(speed, t) for t in touch.tangents]
        return _observables(-lam[0] * touch.normal - pull, j.r + touch.arm, slip) | {
            "normal_force": Observable(-lam[0], "N", "force that presses the bodies together"),
            "tangential_force": Observable(_length(lam[1], lam[2]), "N", "force across the normal"),
        }


def _observables(force, place, slip: list) -> dict[str, Observable]:
    """Channels of every kind of rolling."""
    result = channels("reaction", "N", "force", force)
    for k, x in enumerate("xyz"):
        result[f"contact.{x}"] = Observable(place[k], "m", f"{x} of the contact")
    result["slip"] = Observable(_length(*slip), "m/s", "slip velocity, zero but for round-off")
    return result


def _length(*parts):
    return ufl.sqrt(total(x**2 for x in parts))


@dataclass(frozen=True)
class BallKind(RollingKind):
    """A ball on a plane through frame i, whose normal is the third axis there."""

    called = "rolling ball"

    def touch(self, c, i, j):
        n, radius = i.e(3), c.par("radius")
        return Touch(ufl.dot(j.r - i.r, n) - radius, n, (i.e(1), i.e(2)), -radius * n)


@dataclass(frozen=True)
class DiscKind(RollingKind):
    """A thin disc about the third axis of frame j, on a plane as ``BallKind``: it touches with the
    lowest point of its rim, p = -R m / |m| with m = n - (n . e3) e3."""

    called = "rolling disc"

    def touch(self, c, i, j):
        n, radius = i.e(3), c.par("radius")
        up = n - ufl.dot(n, j.e(3)) * j.e(3)
        length = ufl.sqrt(ufl.dot(up, up))
        gap = ufl.dot(j.r - i.r, n) - radius * length
        return Touch(gap, n, (i.e(1), i.e(2)), -radius / length * up)


@dataclass(frozen=True)
class SocketKind(RollingKind, SteadyParameters):
    """A ball in a spherical socket about frame i.

    The tangents are carried along by the turn that leads from the direction u_0 of the last
    accepted step to the present one, u: t = t_0 - (t_0 . u) / (1 + u . u_0) (u + u_0). The triad
    (u_0, t_0) is a parameter, in the axes of frame i.
    """

    called = "ball that rolls in a socket"

    own_parameters: ClassVar = {"radius": (), "socket_radius": (), "before": (3, 3)}
    copied: ClassVar = {"before": tuple(f"before.{m}{k}" for m in range(3) for k in range(3))}

    def _triad(self, c, i, j):
        """Direction to frame j and the tangents, in the axes of frame i; distance of the
        centres."""
        gap, before = j.r - i.r, c.par("before")
        gap = ufl.as_vector([ufl.dot(gap, i.e(k)) for k in (1, 2, 3)])
        length = ufl.sqrt(ufl.dot(gap, gap))
        first, *others = (ufl.as_vector([before[m, k] for k in range(3)]) for m in range(3))
        u = gap / length
        middle = (u + first) / (1 + ufl.dot(u, first))
        return length, [u, *(t - ufl.dot(t, u) * middle for t in others)]

    def touch(self, c, i, j):
        length, triad = self._triad(c, i, j)
        u, *tangents = (total(z[k] * i.e(k + 1) for k in range(3)) for z in triad)
        radius = c.par("radius")
        return Touch(c.par("socket_radius") - radius - length, -u, tuple(tangents), radius * u)

    def observables(self, c):
        _, triad = self._triad(c, *self.poses(c))
        own = {f"before.{m}{k}": z[k] for m, z in enumerate(triad) for k in range(3)}
        return super().observables(c) | internal(own)


@dataclass(frozen=True)
class PinionKind(ConstraintKind):
    """A pinion of frame j on a rack along e1 of frame i, both turning about e3: x + R theta = 0.

    Written as R sin(theta + x/R) = 0, which holds over any number of turns (the root half a turn
    away is never reached). R is negative if the pinion lies on the other side of the rack, towards
    -e2.
    """

    called = "pinion on a rack"

    own_fields: ClassVar = {"lam": (1,)}
    own_parameters: ClassVar = {"radius": (), "start": ()}

    def work(self, c, i, j):
        radius = c.par("radius")
        turn = (ufl.dot(j.r - i.r, i.e(1)) - c.par("start")) / radius
        sine, cosine = ufl.dot(j.e(1), i.e(2)), ufl.dot(j.e(1), i.e(1))
        phi = radius * (sine * ufl.cos(turn) + cosine * ufl.sin(turn))
        return c.split(c.q)[2][0] * phi

    def observables(self, c):
        (i, j), radius = self.poses(c), c.par("radius")
        variables = self.poses(c, variables=True)
        force = force_on(self.work(c, *variables), variables[1])
        slip = c.rate(ufl.dot(j.r - i.r, i.e(1))) + radius * ufl.dot(j.omega - i.omega, i.e(3))
        size = Observable(_length(c.split(c.q)[2][0]), "N", "force along the rack")
        place = j.r - radius * i.e(2)
        return _observables(force, place, [slip]) | {"tangential_force": size}


class RollingJoint(Pair):
    """Rolling without slipping of a round body (frame j, at its centre) on another (frame i).

    What rolls on what follows from the arguments:

    - a ball on a plane: ``normal``;
    - a thin disc on a plane: ``normal`` and the disc's ``axis``. It may lean, but not lie flat;
    - a ball inside a spherical socket: ``socket_radius``, frame i at the socket's centre;
    - a pinion on a rack: ``along`` and the pinion's ``axis``, frame i on the pitch line. Other
      joints hold the pinion at its distance.

    The joint is bilateral: ``normal_force`` becomes negative where the bodies would separate, and
    ``tangential_force`` exceeds the limit of friction where they would slip.

    Args:
        frame_i: a point of the plane or the rack's pitch line, or the socket's centre.
        frame_j: the centre of the disc, ball or pinion.
        radius: of the rolling body (of the pinion's pitch circle), m.
        normal: of the plane, fixed in frame i, towards the rolling body.
        axis: of the disc or pinion at the start, fixed in frame j.
        socket_radius: of the socket, m.
        along: direction of the rack, fixed in frame i.
        name: for messages and channels.

    Channels: ``reaction.x/y/z`` (N, on frame j, at the contact), ``contact.x/y/z`` (m), ``slip``
    (m/s), ``tangential_force`` (N), and except for the pinion ``normal_force`` (N).

    Raises:
        InputError: arguments that fit no case; when added, bodies that do not touch at the start.

    Example:
        >>> coin = RigidBody(shape=..., density=7800, position=(0, 0, 0.1))
        >>> system.add(RollingJoint(system.ground, coin.center, 0.1, normal=Z, axis=(0, 1, 0)))

    See docs/rolling.md. Example::

        fc.RollingJoint(ground.at((0, 0, 0)), disc.center, 0.01, normal=(0, 0, 1),
                        axis=(0, 1, 0))
    """

    prefix, label = "rolling", "rolling joint"

    def __init__(
        self,
        frame_i,
        frame_j,
        radius: float,
        *,
        normal: ArrayLike | None = None,
        axis: ArrayLike | None = None,
        socket_radius: float | None = None,
        along: ArrayLike | None = None,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        self.radius = checks.positive(f"{self.who}: radius", radius)
        if sum(z is not None for z in (normal, socket_radius, along)) != 1:
            raise InputError(
                f"{self.who}: give normal= (a plane), socket_radius= (a socket) or along= (a rack)."
            )
        directions: Any = (
            None if z is None else checks.direction(f"{self.who}: {text}", z)
            for z, text in ((normal, "normal"), (axis, "axis"), (along, "along"))
        )
        self.normal, self.axis, self.along = directions
        self.socket_radius = socket_radius
        if socket_radius is not None:
            checks.positive(f"{self.who}: socket_radius", socket_radius)
            if axis is not None:
                raise InputError(f"{self.who}: only balls roll in a socket; omit axis.")
            if socket_radius <= self.radius:
                raise InputError(f"{self.who}: the ball must be smaller than the socket.")
        if self.along is not None:
            checks.axis(self.who, axis)
            if abs(self.along @ self.axis) > 1e-9:
                raise InputError(f"{self.who}: along and axis must be perpendicular.")
        elif self.axis is not None and abs(self.axis @ self.normal) > 1 - 1e-9:
            raise InputError(f"{self.who}: a disc that lies flat does not roll on its rim.")

    def portrait(self):
        sizes = {"radius": self.radius}
        if self.socket_radius is not None:
            sizes["socket_radius"] = self.socket_radius
        ways = {"normal": self.normal, "along": self.along}
        # these turn with frame i, the axis with frame j
        data: dict[str, Any] = {
            name: np.linalg.solve(self.i.basis, x).tolist() for name, x in ways.items()
            if x is not None
        }  # fmt: skip
        if self.axis is not None:
            data["axis_j"] = np.linalg.solve(self.j.basis, self.axis).tolist()
        return Portrait(self.prefix, self.i, self.j, None, sizes, data)

    def build(self, builder) -> None:
        make = self._rack if self.along is not None else self._contact
        kind, misfit, parameters, counts = make()
        if abs(misfit) > 1e-6 * builder.extent():
            raise InputError(
                f"{self.name} cannot close at the start: {self.j.name} is {abs(misfit):.3g} m too "
                f"{'far from' if misfit > 0 else 'near to'} what it rolls on; move one of them."
            )
        blocks = [
            multipliers(self.name, what, count, TRANSLATION) for what, count in counts.items()
        ]
        self.add_to(builder, kind, parameters, blocks)

    def _contact(self):
        """Kind of a contact with a normal, distance between the bodies, m, parameters, and numbers
        of multipliers."""
        frames = self.i.kind, self.j.kind
        own: dict[str, Any] = {"radius": self.radius}
        kind: RollingKind
        triads: tuple[Any, Any]
        if self.normal is None:
            away = float(np.linalg.norm(self.gap))
            if away == 0:
                raise InputError(
                    f"{self.name}: the ball must not start at the centre of the socket."
                )
            assert self.socket_radius is not None
            kind, misfit = SocketKind(*frames), self.socket_radius - self.radius - away
            triads = np.eye(3), None
            own |= {"socket_radius": self.socket_radius}
            own |= {"before": np.roll(triad_about(self.gap / away), 1, axis=1).T}
        elif self.axis is None:
            kind, misfit = BallKind(*frames), self.gap @ self.normal - self.radius
            triads = triad_about(self.normal), None
        else:
            lean = np.sqrt(1 - (self.normal @ self.axis) ** 2)
            kind, misfit = DiscKind(*frames), self.gap @ self.normal - self.radius * lean
            triads = triad_about(self.normal), triad_about(self.axis)
        i, j = (f.parameters(t) for f, t in zip((self.i, self.j), triads, strict=True))
        return kind, misfit, kind.pack_pair(i, j, **own), {"normal": 1, "tangential": 2}

    def _rack(self):
        triad = np.column_stack([self.along, np.cross(self.axis, self.along), self.axis])
        along, away, _ = self.gap @ triad
        kind = PinionKind(self.i.kind, self.j.kind)
        parameters = kind.pack_pair(
            self.i.parameters(triad), self.j.parameters(triad),
            radius=np.copysign(self.radius, away), start=along,
        )  # fmt: skip
        return kind, abs(away) - self.radius, parameters, {"force": 1}
