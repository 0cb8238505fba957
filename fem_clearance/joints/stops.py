"""Stops that limit the motion of a joint, and backlash: the free angle between two stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..contact.clearance import add_contact, check_laws, law_numbers
from ..contact.kind import ContactKind
from ..contact.laws.normal import LankaraniNikravesh, NormalLaw
from ..contact.laws.pair_data import ContactGeometry
from ..contact.placements.touch import Placement, Touch
from ..core.mixins import SteadyParameters
from ..core.observables import Observable
from ..errors import InputError
from ..model.frame import triad_about
from ..model.pair import Pair
from ..timestepping.gaps import least_approach, watched
from .angle import Angle


@dataclass(frozen=True)
class AtStop(Placement):
    """Depth beyond a limit of a joint's coordinate; turning: at a radius from the axis."""

    label: ClassVar[str] = "stop"

    turning: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("side", "limit", *(("radius", "before") if self.turning else ()))

    def coordinate(self, kind, c):
        """Displacement along the axis, m, or angle about it, rad, of frame j."""
        i, j = kind.poses(c)
        if self.turning:
            return Angle(c, i, j, c.par("before")).value
        return ufl.dot(j.r - i.r, i.e(3))

    def touch(self, kind, c, as_symbol) -> Touch:
        x, side = self.coordinate(kind, c), c.par("side")
        if self.turning:
            side = side * c.par("radius")
        gap = as_symbol(ufl.as_vector([side * (x - c.par("limit")), side * c.rate(x)]))
        return Touch(
            gap[0], gap[1], ufl.as_vector([side]), None, None,
            work=lambda forces: forces[0] * c.along(x), place=ufl.as_vector([x]),
        )  # fmt: skip

    def observables(self, kind, c, at, forces):
        x = at.place[0]
        if not self.turning:
            return {"displacement": Observable(x, "m", "displacement of frame j along the axis")}
        return {
            "angle": Observable(x, "rad", "angle of frame j about the axis"),
            "torque": Observable(-forces[0], "N m", "torque on frame j about the axis"),
        }


class StopKind(ContactKind):
    """One stop."""

    called = "stop"


class TurnStopKind(ContactKind, SteadyParameters):
    """One stop of a rotation over any number of turns."""

    called = "stop"

    copied: ClassVar = {"before": ("angle",)}


class Stops(Pair):
    """The common part of ``TranslationStops`` and ``RotationStops``."""

    prefix, label, holds = "stops", "stops", False
    turning = False

    def __init__(
        self, frame_i, frame_j, axis, lower, upper, stiffness, normal, approach_floor, name,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis)
        ends = {"lower": lower, "upper": upper}
        self.limits = {
            n: checks.number(f"{self.who}: {n}", x) for n, x in ends.items() if x is not None
        }
        if not self.limits:
            raise InputError(f"{self.who} needs a limit: lower=, upper=, or both.")
        if len(self.limits) == 2 and not self.limits["lower"] < self.limits["upper"]:
            raise InputError(f"{self.who}: lower must be below upper, got {lower:g} and {upper:g}.")
        self.normal = LankaraniNikravesh(exponent=1.0) if normal is None else normal
        check_laws(self.who, self.normal, None)
        if stiffness is None:
            raise InputError(f"{self.who} needs a stiffness in N/m^n of its law.")
        #: radii and materials play no part: the law takes its stiffness from the user
        given = ContactGeometry(
            self.who, 1.0, 1.0, given_stiffness=checks.positive(f"{self.who}: stiffness", stiffness)
        )
        self.numbers = law_numbers(given, self.normal, None)
        self.floor = least_approach(self.who, approach_floor)

    def portrait(self):
        return super().portrait().more(data={"limits": self.limits, "turning": self.turning})

    def build(self, builder) -> None:
        make = TurnStopKind if self.turning else StopKind
        kind = make(self.i.kind, self.j.kind, AtStop(turning=self.turning), type(self.normal))
        triad = triad_about(self.axis)
        start = 0.0 if self.turning else float(self.gap @ self.axis)
        for name, limit in self.limits.items():
            own = {"side": -1.0 if name == "lower" else 1.0, "limit": start + limit}
            own |= self.more()
            numbers = kind.pack_pair(
                self.i.parameters(triad),
                self.j.parameters(triad) if self.turning else self.j.parameters(),
                **watched(self.floor, self.normal.approach_speed), **self.numbers, **own,
            )  # fmt: skip
            place = f"{self.name}.{name}"
            add_contact(builder, kind, place, (self.i, self.j), numbers)

    def more(self) -> dict[str, Any]:
        """Further numbers of a stop."""
        return {}


class TranslationStops(Stops):
    """Limits of the displacement of frame j along ``axis`` of frame i.

    They act beside the joint that guides the motion, such as a prismatic one. The law is one of
    the normal-force laws of contacts; the beginning of a contact is located in time.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        lower, upper: displacements from the start at which frame j meets a stop, m; ``None``:
            there is none.
        stiffness: of a stop, N/m^n of the law.
        normal: normal-force law; default: linear, restitution 0.9.
        approach_floor: least approach speed of hysteretic laws, m/s; see ``ContactLaws``.
        name: for messages and channels.

    Channels: of ``name.lower`` and ``name.upper`` each ``displacement`` and ``penetration`` (m),
    ``normal_force`` (N).

    Raises:
        InputError: no axis, no limit or limits out of order, no stiffness, a law that is none.

    See docs/connections.md. Example::

        fc.TranslationStops(
            ground.at((0, 0, 0)), body.center, axis=(1, 0, 0), lower=-0.01, upper=0.02,
            stiffness=1e6,
        )
    """

    triads_needed = (True, False)

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, *, lower: float | None = None,
        upper: float | None = None, stiffness: float | None = None,
        normal: NormalLaw | None = None, approach_floor: float | None = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            frame_i, frame_j, axis, lower, upper, stiffness, normal, approach_floor, name
        )


class RotationStops(Stops):
    """Limits of the angle of frame j about ``axis`` of frame i, over any number of turns.

    Two stops with a free angle between them are the backlash of a coupling. They act beside a joint
    that holds the axis, such as a revolute. Penetration and force count at a radius from the axis.
    A step may turn by less than half a turn.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        lower, upper: angles from the start at which frame j meets a stop, rad; ``None``: there is
            none.
        radius: distance of the stops from the axis, m.
        stiffness: of a stop, N/m^n of the law.
        normal: normal-force law; default: linear, restitution 0.9.
        approach_floor: least approach speed of hysteretic laws, m/s; see ``ContactLaws``.
        name: for messages and channels.

    Channels: of ``name.lower`` and ``name.upper`` each ``angle`` (rad), ``torque`` (N m, on frame
    j), ``penetration`` (m), ``normal_force`` (N).

    Raises:
        InputError: no axis, no limit or limits out of order, no stiffness or radius, a law that is
            none.

    See docs/connections.md. Example::

        fc.RotationStops(
            ground.at((0, 0, 0)), body.center, axis=(0, 0, 1), lower=-0.5, upper=0.5, radius=0.05,
            stiffness=1e6,
        )
    """

    turning = True

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, *, lower: float | None = None,
        upper: float | None = None, radius: float | None = None, stiffness: float | None = None,
        normal: NormalLaw | None = None, approach_floor: float | None = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            frame_i, frame_j, axis, lower, upper, stiffness, normal, approach_floor, name
        )
        if radius is None:
            raise InputError(f"{self.who} needs the radius at which the stops lie, m.")
        self.radius = checks.positive(f"{self.who}: radius", radius)

    def more(self):
        return {"radius": self.radius, "before": 0.0}

    def portrait(self):
        return super().portrait().more(sizes={"radius": self.radius})
