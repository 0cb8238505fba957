"""Friction in ideal joints, pressed by the joint's own reactions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ufl

from .. import checks
from ..contact.forms import NOTHING, as_parameters, law_symbols, length
from ..contact.laws.friction import BristleLaw, FrictionLaw
from ..contact.resistance import sliding_friction
from ..core.component import Cell
from ..core.observables import Observable
from ..core.symbols import total
from ..errors import InputError
from ..markup import Shown
from ..model.pair import PairKind
from ..model.portrait import Portrait
from .ideal import (
    COUNTS,
    CylindricalJoint,
    IdealJoint,
    IdealKind,
    PrismaticJoint,
    RevoluteJoint,
    SphericalJoint,
    force_on,
    moment_on,
)


@dataclass(frozen=True)
class JointFrictionKind(PairKind):
    """Friction on the surfaces of a joint: pairs of a normal force, from the reactions of the
    joint, and a sliding velocity.

    Attributes:
        joint: its type.
        friction: class of the law.
        supports: whether the axial length counts: the moment of the joint presses two bearings.
        flank: whether a radius counts beside the length: of prismatic joints, the arm of the moment
            about the axis; of revolute ones, the radius of a collar under the axial force.
    """

    called = "friction of a joint"

    feeds_energy = False

    joint: str = "revolute"
    friction: Any = None
    supports: bool = False
    flank: bool = False

    @property
    def own_fields(self):
        return {"lam": (sum(COUNTS[self.joint]),)}

    @property
    def own_parameters(self):
        names = ["radius"] + ["length"] * self.supports + ["flank"] * self.flank
        return dict.fromkeys([*names, *(f"friction.{n}" for n in self.friction.parameters)], ())

    def reactions(self, c):
        """Force and moment of the joint on frame j, N and N m."""
        i, j = self.poses(c, variables=True)
        work = IdealKind(self.i, self.j, self.joint).work(c, i, j)
        return force_on(work, j), moment_on(work, j) if COUNTS[self.joint][1] else None

    def pressed(self, c, force, moment, axis):
        """Normal force on the bearings across the axis, N: of one, or of two at the ends of the
        length, which carry the moment too."""
        across = force - ufl.dot(force, axis) * axis
        if not self.supports:
            return _size(across)
        couple = ufl.cross(moment, axis) / c.par("length")
        return _size(across / 2 + couple) + _size(across / 2 - couple)

    def contacts(self, c) -> list[tuple[Any, Any]]:
        """Normal force, N, and sliding velocity, m/s, (n,), of each of the joint's surfaces."""
        i, j = self.poses(c)
        force, moment = self.reactions(c)
        axis, radius, turning = i.e(3), c.par("radius"), j.omega - i.omega
        if self.joint == "spherical":
            return [(_size(force), radius * turning)]
        spin, load = ufl.dot(turning, axis), self.pressed(c, force, moment, axis)
        along = c.rate(ufl.dot(j.r - i.r, axis))
        if self.joint == "revolute":
            result = [(load, ufl.as_vector([radius * spin]))]
            if self.flank:
                collar = ufl.as_vector([c.par("flank") * spin])
                result.append((_size(ufl.as_vector([ufl.dot(force, axis)])), collar))
            return result
        if self.joint == "cylindrical":
            return [(load, ufl.as_vector([radius * spin, along]))]
        if self.flank:
            load += _size(ufl.as_vector([ufl.dot(moment, axis)])) / c.par("flank")
        return [(load, ufl.as_vector([along]))]

    def frictions(self, c) -> list[tuple[Any, Any, Any]]:
        """Normal force, sliding velocity, and friction against it, N, of each surface."""
        numbers = law_symbols(c, self.friction, "friction")
        return [
            (load, sliding, load * sliding_friction(self.friction, sliding, numbers))
            for load, sliding in self.contacts(c)
        ]

    def residual(self, c):
        return (
            total(ufl.dot(force, c.power(sliding)) for _, sliding, force in self.frictions(c))
            * c.dx()
        )

    def observables(self, c):
        parts = self.frictions(c)
        loads = total(load for load, _, _ in parts)
        forces = total(_size(force) for _, _, force in parts)
        lost = total(ufl.dot(force, sliding) for _, sliding, force in parts)
        return {
            "normal_force": Observable(loads, "N", "normal force on the surfaces of the joint"),
            "friction_force": Observable(forces, "N", "friction on the surfaces of the joint"),
            "speed": Observable(_size(parts[0][1]), "m/s", "sliding speed"),
            "friction_loss": Observable(lost, "W", "power lost to friction"),
        }


def _size(vector):
    return length(vector, NOTHING**0.5)


#: joints whose surfaces slide, and what of the sizes they need and may have
SIZES: dict[type[IdealJoint], tuple[tuple[str, ...], tuple[str, ...]]] = {
    RevoluteJoint: (("radius",), ("length", "collar_radius")),
    CylindricalJoint: (("radius",), ("length",)),
    PrismaticJoint: ((), ("length", "half_width")),
    SphericalJoint: (("radius",), ()),
}


class JointFriction(Shown):
    """Friction in a revolute, cylindrical, prismatic or spherical joint, due to its reactions.

    The normal force is the reaction of the joint perpendicular to its axis; with a length it is
    that of two bearings at this distance, which also carry the moment of the joint. The law depends
    on the sliding speed of the surface. Where constraints are redundant, some are removed (the log
    says of which joint); the reactions, and with them the friction, are then those of the others.

    Args:
        joint: the joint, added to the system before.
        friction: a friction law of the sliding speed, such as ``SmoothCoulomb(0.1)``.
        radius: of the pin, bush or ball, m (not of prismatic joints).
        length: distance of two bearings about the joint's point, m; ``None``: the moment does not
            press the surfaces.
        collar_radius: of revolute joints, mean radius of a collar under the axial force, m;
            ``None``: the axial force causes no friction.
        half_width: of prismatic joints, the arm at which flanks carry the moment about the axis, m;
            ``None``: it causes no friction.
        name: for messages and channels.

    Channels: ``normal_force friction_force`` (N, sums over the surfaces), ``speed`` (m/s),
    ``friction_loss`` (W).

    Raises:
        InputError: a joint or a law of another sort, sizes that are missing or that the joint does
            not have; when added, a joint that is not in the system before.

    See docs/connections.md. Example::

        fc.JointFriction(
            system.add(fc.RevoluteJoint(ground, body.center, axis=(0, 0, 1))),
            fc.SmoothCoulomb(0.1, v0=1e-3), radius=0.01,
        )
    """

    prefix, label = "joint_friction", "joint friction"

    def __init__(
        self, joint: IdealJoint, friction: FrictionLaw | None = None, *,
        radius: float | None = None, length: float | None = None,
        collar_radius: float | None = None, half_width: float | None = None,
        name: str | None = None,
    ):  # fmt: skip
        self.name: Any = name
        who = name or self.label
        sizes = next((s for kind, s in SIZES.items() if isinstance(joint, kind)), None)
        if sizes is None:
            raise InputError(
                f"{who}: friction acts in revolute, cylindrical, prismatic and spherical joints, "
                f"got {checks.shown(joint)}."
            )
        if not isinstance(friction, FrictionLaw) or isinstance(friction, BristleLaw):
            raise InputError(
                f"{who}: friction must be a law of the sliding speed such as SmoothCoulomb(0.1), "
                f"got {friction!r}."
            )
        self.joint, self.friction, self.i, self.j = joint, friction, joint.i, joint.j
        if not (self.i.kind.has_triad and self.j.kind.has_triad):
            raise InputError(f"{who}: the joint {joint.who} needs frames with a triad.")
        given = {
            "radius": radius, "length": length, "collar_radius": collar_radius,
            "half_width": half_width,
        }  # fmt: skip
        needed, allowed = sizes
        for size, value in given.items():
            if value is None and size in needed:
                raise InputError(f"{who} needs {size}=, m.")
            if value is not None and size not in (*needed, *allowed):
                raise InputError(f"{who}: a {joint.label} has no {size}.")
        #: sizes that were given, m
        self.sizes = {
            n: checks.positive(f"{who}: {n}", x) for n, x in given.items() if x is not None
        }

    def portrait(self) -> Portrait:
        return Portrait("joint_friction", self.i, self.j, self.joint.axis, sizes=self.sizes)

    def build(self, builder) -> None:
        if not self.joint.blocks:
            raise InputError(
                f"{self.name}: add the joint {self.joint.who} to the system before its friction."
            )
        sizes = self.sizes
        flank = sizes.get("collar_radius", sizes.get("half_width"))
        kind = JointFrictionKind(
            self.i.kind, self.j.kind, self.joint.joint, type(self.friction), "length" in sizes,
            flank is not None,
        )  # fmt: skip
        own: dict[str, float] = {"radius": sizes.get("radius", 1.0)}
        own |= {"length": sizes["length"]} if "length" in sizes else {}
        own |= {"flank": flank} if flank is not None else {}
        own |= as_parameters("friction", self.friction.values())
        ti, tj = self.joint.triads()
        numbers = kind.pack_pair(self.i.parameters(ti), self.j.parameters(tj), **own)
        refs = [*self.i.refs, *self.j.refs, *(b.all for b in self.joint.blocks)]
        builder.add_cell(kind, Cell(self.name, refs, numbers))
