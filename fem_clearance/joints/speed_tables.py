"""Tables over the speed of rotation: torque of motors, and coefficients of bearings."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..contact.forms import identity
from ..contact.laws.normal import indicator
from ..core.mixins import UpdatesParameters
from ..core.observables import Observable
from ..errors import InputError
from ..functions import shape
from ..model.frame import triad_about
from ..model.pair import Pair, PairKind
from .angle import AnglePair, TorqueKind

logger = logging.getLogger(__name__)

#: numbers of points to which tables are extended, so that each size is compiled once
SIZES = (4, 8, 16, 32, 64)


class SpeedTable:
    """Values at increasing speeds, straight in between and constant beyond.

    Args:
        who: for messages.
        speeds: rad/s, increasing, 2 to 64.
        values: at each of them, (n, width).

    Raises:
        InputError: speeds that do not increase, too few or too many, values that are not finite.
    """

    def __init__(self, who: str, speeds: ArrayLike, values: np.ndarray):
        self.who, self.warned = who, False
        x, count = checks.array(speeds), len(values)
        if x.shape != (count,) or not 2 <= count <= SIZES[-1]:
            raise InputError(
                f"{who}: the table needs 2 to {SIZES[-1]} speeds, with a value for each, got "
                f"{checks.shown(speeds)}."
            )
        if not (np.isfinite(x).all() and np.isfinite(values).all() and np.all(np.diff(x) > 0)):
            raise InputError(f"{who}: speeds must increase, and all numbers be finite.")
        self.span = float(x[0]), float(x[-1])
        self.size = next(n for n in SIZES if n >= count)
        more = self.size - count
        beyond = x[-1] + (x[-1] - x[-2]) * np.arange(1, more + 1)
        self.speeds = np.concatenate([x, beyond])
        self.values = np.concatenate([values, np.repeat(values[-1:], more, axis=0)])

    def watch(self, speeds: np.ndarray) -> None:
        """Warn once if a speed is outside the table."""
        low, high = self.span
        beyond = speeds[(speeds < low) | (speeds > high)]
        if len(beyond) and not self.warned:
            self.warned = True
            logger.warning(
                "%s: a speed of %.4g rad/s lies outside its table (%.4g to %.4g rad/s), and the "
                "value at the end of the table is used; give more points.", self.who, beyond[0],
                low, high,
            )  # fmt: skip


def looked_up(speeds, values, x, size: int, width: int):
    """The table's values at a speed, as a list of UFL scalars."""
    found = [values[0, n] for n in range(width)]
    for k in range(size - 1):
        part = (x - speeds[k]) / (speeds[k + 1] - speeds[k])
        part = indicator(ufl.And(ufl.gt(part, 0), ufl.lt(part, 1))) * part
        part += indicator(ufl.ge(x, speeds[k + 1]))
        found = [f + part * (values[k + 1, n] - values[k, n]) for n, f in enumerate(found)]
    return found


@dataclass(frozen=True)
class MotorKind(TorqueKind):
    """Torque interpolated in a table over the speed, times a function of time."""

    called = "motor"

    size: int = 4
    function: Any = None  # Shape
    table: Any = None  # of the cell, which checks its speeds

    @property
    def own_parameters(self):
        own = {"before": (), "speeds": (self.size,), "torques": (self.size, 1)}
        return own | (self.function.parameters if self.function else {})

    def torque(self, c, angle):
        table = c.par("speeds"), c.par("torques")
        (torque,) = looked_up(*table, angle.rate, self.size, 1)
        return self.function.at(c, c.t) * torque if self.function else torque

    def update(self, parameters, observed):
        super().update(parameters, observed)
        self.table.watch(observed["speed"])


class Motor(AnglePair):
    """A motor or brake: torque on frame j about ``axis`` of frame i by a table over the speed.

    The torque is linear between the points of the table and constant beyond its ends; if the speed
    leaves the table, the log says so. It acts beside a joint that holds the axis, such as a
    revolute. A step may turn it by less than half a turn.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        speeds: of frame j from frame i about the axis, rad/s, increasing, 2 to 64 numbers.
        torques: at these speeds, N m.
        function: of time, multiplies the torque (a throttle); default 1.
        name: for messages and channels.

    Channels: ``angle`` (rad), ``speed`` (rad/s), ``torque`` (N m, on frame j), ``power`` (W).

    Raises:
        InputError: no axis, frames without a triad, a table that is not valid.

    See docs/connections.md. Example::

        fc.Motor(
            ground.at((0, 0, 0)), body.center, axis=(0, 0, 1), speeds=[0, 100, 150],
            torques=[2, 3, 0],
        )
    """

    prefix, label, holds = "motor", "motor", False

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, *, speeds: ArrayLike,
        torques: ArrayLike, function: Any = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, axis, name)
        self.table = SpeedTable(self.who, speeds, checks.array(torques).reshape(-1, 1))
        self.shape = None
        if function is not None:
            self.shape = shape(
                self.who, "function", function, "functions.SmoothRamp(rate=1, duration=1)"
            )

    def build(self, builder) -> None:
        kind = MotorKind(self.i.kind, self.j.kind, self.table.size, self.shape, self.table)
        own: dict[str, Any] = dict(self.shape.pack()) if self.shape else {}
        numbers = self.pack(kind, speeds=self.table.speeds, torques=self.table.values, **own)
        self.add_to(builder, kind, numbers)


@dataclass(frozen=True)
class CoefficientsKind(PairKind, UpdatesParameters):
    """Force -(K x + C dx/dt) on frame j across the axis of frame i, K and C by the speed of frame j
    about it."""

    called = "bearing coefficients"

    #: K may be unsymmetric and turns with the speed: a source of energy or a sink
    feeds_energy = True

    size: int = 4
    table: Any = None

    @property
    def own_parameters(self):
        return {"speeds": (self.size,), "coefficients": (self.size, 8), "free": (2,)}

    def motion(self, c):
        """Displacement across the axis, m, and speed about it, rad/s."""
        i, j = self.poses(c)
        gap, free = j.r - i.r, c.par("free")
        x = ufl.as_vector([ufl.dot(gap, i.e(n + 1)) - free[n] for n in range(2)])
        return x, ufl.dot(j.omega - i.omega, i.e(3))

    def resistance(self, c, x, rate, speed, as_symbol=identity):
        """K x + C dx/dt, N."""
        found = looked_up(c.par("speeds"), c.par("coefficients"), speed, self.size, 8)
        k = as_symbol(ufl.as_vector(found))
        return ufl.as_vector(
            [k[n] * x[0] + k[n + 1] * x[1] + k[n + 4] * rate[0] + k[n + 5] * rate[1]
             for n in (0, 2)]
        )  # fmt: skip

    def residual(self, c):
        x, speed = self.motion(c)
        force = self.resistance(c, c.shared(x), c.shared(c.rate(x)), speed, c.shared)
        return ufl.dot(force, c.along(x)) * c.dx()

    def observables(self, c):
        x, speed = self.motion(c)
        force = self.resistance(c, x, c.rate(x), speed)
        shown = {f"force{n + 1}": Observable(-force[n], "N", f"on frame j along axis {n + 1}")
                 for n in range(2)}  # fmt: skip
        return shown | {
            "x1": Observable(x[0], "m", "displacement of frame j along axis 1"),
            "x2": Observable(x[1], "m", "displacement of frame j along axis 2"),
            "speed": Observable(speed, "rad/s", "speed of frame j about the axis"),
            "power": Observable(-ufl.dot(force, c.rate(x)), "W", "power of the bearing"),
        }

    def update(self, parameters, observed):
        self.table.watch(observed["speed"])


class BearingCoefficients(Pair):
    """A bearing by its stiffness and damping coefficients, with cross terms, over the speed.

    The force on the journal, frame j, is -(K x + C dx/dt) with its displacement x from the start
    across the axis, along two axes of the bearing, frame i. K and C are linear between the speeds
    of the table and constant beyond its ends, which the log says; for constant coefficients give
    two equal rows. Unlike a film (``lubrication``) they do not depend on the load: they are valid
    for small motions about the position for which they were computed.

    Args:
        frame_i, frame_j: of bearing and journal, or one of them and a body.
        axis: of the bearing at the start, fixed in frame i.
        first: direction of the first coordinate at the start, across the axis; the second one
            follows from axis and first by the right hand.
        speeds: of the journal in the bearing about the axis, rad/s, increasing, 2 to 64 numbers.
        stiffness: K at each of them, N/m, (n, 2, 2).
        damping: C at each of them, N s/m, (n, 2, 2).
        name: for messages and channels.

    Channels: ``force1 force2`` (N, on the journal), ``x1 x2`` (m), ``speed`` (rad/s), ``power``
    (W).

    Raises:
        InputError: no axis, a first direction that is not across it, tables of another shape.

    See docs/connections.md. Example::

        fc.BearingCoefficients(
            ground.at((0, 0, 0)), body.center, axis=(0, 0, 1), first=(1, 0, 0), speeds=[0, 300],
            stiffness=[[[1e7, 2e6], [-2e6, 1e7]]] * 2, damping=[[[1e4, 0], [0, 1e4]]] * 2,
        )
    """

    prefix, label = "bearing_coefficients", "bearing coefficients"

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, *, first: ArrayLike,
        speeds: ArrayLike, stiffness: ArrayLike, damping: ArrayLike, name: str | None = None,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis)
        self.first = checks.direction(f"{self.who}: first", first)
        if abs(self.first @ self.axis) > 1e-9:
            raise InputError(f"{self.who}: first must be at right angles to the axis.")
        tables = []
        for name_, given in (("stiffness", stiffness), ("damping", damping)):
            table = checks.array(given)
            if table.shape != (checks.array(speeds).size, 2, 2):
                raise InputError(
                    f"{self.who}: {name_} must be a 2x2 matrix for each speed, an array (n, 2, 2), "
                    f"got {table.shape}."
                )
            tables.append(table.reshape(-1, 4))
        self.table = SpeedTable(self.who, speeds, np.hstack(tables))

    def build(self, builder) -> None:
        kind = CoefficientsKind(self.i.kind, self.j.kind, self.table.size, self.table)
        triad = triad_about(self.axis, self.first)
        numbers = kind.pack_pair(
            self.i.parameters(triad), self.j.parameters(triad), speeds=self.table.speeds,
            coefficients=self.table.values, free=triad[:, :2].T @ self.gap,
        )  # fmt: skip
        self.add_to(builder, kind, numbers)
