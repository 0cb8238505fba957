"""Drivers: one relative motion of two frames prescribed as a function of time.

A driver is a constraint in addition to the joint that leaves the motion free: a revolute and a
``RotationDriver``, a prismatic and a ``TranslationDriver``. The pose at the start corresponds to
the value of the function at t = 0, so that no driver is violated at the start; initial velocities
must agree with the rate of the function there (``initial_rate``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import multipliers
from ..core.observables import Observable
from ..core.roles import ROTATION, TRANSLATION
from ..functions import Function, of_time, rate, shape, value
from ..model.frame import triad_about
from ..model.pair import Pair
from .angle import about_third
from .ideal import ConstraintKind, force_on, moment_on


@dataclass(frozen=True)
class DriverKind(ConstraintKind):
    """One condition Phi(q, t) = 0 with a function of time whose numbers are parameters."""

    feeds_energy = True
    conservative = False

    function: Any = None  # Shape

    #: name, unit and description of the motion, and of the effort on frame j
    told: ClassVar[tuple[tuple[str, str, str], ...]] = ()

    @property
    def own_fields(self):
        return {"lam": (1,)}

    @property
    def own_parameters(self):
        return self.function.parameters

    def condition(self, c, i, j):
        """Phi, equal to the relative motion less the function near the solution."""
        raise TypeError("a driver's kind defines condition()")

    def effort(self, work, j):
        """Force or moment on frame j."""
        raise TypeError("a driver's kind defines effort()")

    def work(self, c, i, j):
        return c.split(c.q)[2][0] * self.condition(c, i, j)

    def observables(self, c):
        i, j = self.poses(c, variables=True)
        moment = ufl.variable(c.t)
        motion = self.function.at(c, moment)
        effort = ufl.dot(self.effort(self.work(c, i, j), j), i.e(3))
        values = zip(self.told, (motion, effort), strict=True)
        result = {name: Observable(x, unit, what) for (name, unit, what), x in values}
        power = effort * ufl.diff(motion, moment)
        return result | {"power": Observable(power, "W", "power of the driver")}


@dataclass(frozen=True)
class RotationKind(DriverKind):
    """sin(angle - f) = (e1_j . e2_i) cos f - (e1_j . e1_i) sin f = 0: any number of turns.

    The root half a turn away is never reached, because the motion is continuous.
    """

    called = "rotation driver"

    told = (
        ("angle", "rad", "driven angle of frame j"),
        ("torque", "N m", "driving torque on frame j about the axis"),
    )

    def condition(self, c, i, j):
        f = self.function.at(c, c.t)
        return ufl.dot(j.e(1), i.e(2)) * ufl.cos(f) - ufl.dot(j.e(1), i.e(1)) * ufl.sin(f)

    def effort(self, work, j):
        return moment_on(work, j)


@dataclass(frozen=True)
class TranslationKind(DriverKind):
    """(r_j - r_i) . e3_i - start - f = 0."""

    called = "translation driver"

    told = (
        ("displacement", "m", "driven displacement of frame j"),
        ("force", "N", "driving force on frame j along the axis"),
    )

    @property
    def own_parameters(self):
        return {"start": (), **self.function.parameters}

    def condition(self, c, i, j):
        return ufl.dot(j.r - i.r, i.e(3)) - c.par("start") - self.function.at(c, c.t)

    def effort(self, work, j):
        return force_on(work, j)


class Driver(Pair):
    """The common part of both drivers; use the named classes.

    Attributes:
        axis: unit vector, fixed in frame i.
        initial_rate: rate of the function at t = 0 that the initial velocities must have.
    """

    motion = ""
    example = ""

    def __init__(self, frame_i, frame_j, axis: ArrayLike | None, function: Any, name: str | None):
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis)
        self.function = function = of_time(function)
        self.shape = shape(self.who, self.motion, function, self.example)
        self.initial_rate = rate(function)


class RotationDriver(Driver):
    """Turns frame j about ``axis`` of frame i by ``angle`` (rad), a function of time.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        angle: function of time, rad.
        name: for messages and channels.

    Channels: ``angle`` (rad), ``torque`` (N m, on frame j), ``power`` (W).

    Raises:
        InputError: no axis or a zero one, no function of time, frames without a triad.

    See docs/input.md. Example::

        fc.RotationDriver(ground, body.center, (0, 0, 1), lambda t: 10 * t)
    """

    prefix, label = "driver", "rotation driver"
    motion, example = "angle", "angle=functions.Linear(rate=10)"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        angle: Function | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, axis, angle, name)

    def portrait(self):
        return super().portrait().more(data={"motion": "rotation"})

    def build(self, builder) -> None:
        kind = RotationKind(self.i.kind, self.j.kind, self.shape)
        triad = triad_about(self.axis)
        parameters = kind.pack_pair(
            self.i.parameters(triad),
            self.j.parameters(triad @ about_third(value(self.function))),
            **self.shape.pack(),
        )
        block = multipliers(self.name, "torque", 1, ROTATION, driven=True)
        self.add_to(builder, kind, parameters, [block])


class TranslationDriver(Driver):
    """Moves the point of frame j along ``axis`` of frame i by ``displacement`` (m), given in time.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        displacement: function of time, m.
        name: for messages and channels.

    Channels: ``displacement`` (m), ``force`` (N, on frame j), ``power`` (W).

    Raises:
        InputError: no axis or a zero one, no function of time, a frame i without a triad.

    See docs/input.md. Example::

        fc.TranslationDriver(ground, body.center, (1, 0, 0), lambda t: 0.01 * t**2)
    """

    prefix, label = "driver", "translation driver"
    triads_needed = (True, False)
    motion, example = "displacement", "displacement=functions.Harmonic(amplitude=0.01, frequency=5)"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        displacement: Function | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, axis, displacement, name)

    def portrait(self):
        return super().portrait().more(data={"motion": "translation"})

    def build(self, builder) -> None:
        kind = TranslationKind(self.i.kind, self.j.kind, self.shape)
        parameters = kind.pack_pair(
            self.i.parameters(triad_about(self.axis)),
            self.j.parameters(),
            start=self.gap @ self.axis - value(self.function),
            **self.shape.pack(),
        )
        block = multipliers(self.name, "force", 1, TRANSLATION, driven=True)
        self.add_to(builder, kind, parameters, [block])
