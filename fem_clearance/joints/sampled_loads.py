"""Loads that depend on the state of a frame or a pair of frames, as plain Python functions.

A function (a table in memory, another program, a controller) is called at the start of each step
and extrapolated within the step by its derivatives, which keeps the second order of time stepping.
For laws as expressions of UFL see state_loads.py.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from numpy.typing import ArrayLike

from ..core.component import Cell
from ..core.mixins import UpdatesParameters
from ..core.observables import Observable, internal
from ..errors import InputError, StepFailed
from ..markup import Shown
from ..model.frame import triad_about
from ..model.loads import FrameLoadKind
from ..model.pair import resolve_one
from ..model.portrait import Portrait
from ..user_code import failure, place_of
from .angle import AnglePair, TorqueKind
from .state_loads import checked_law

logger = logging.getLogger(__name__)

#: step of finite differences, relative to the size of the argument (at least 1)
DIFFERENCE = 1e-6


class NotFinite(StepFailed):
    """A function returned a value that is not finite."""


class Called:
    """A user's Python function of (t, x, v) with its derivatives, as the start of a step.

    Args:
        who: for messages.
        law: returns a force, (n,) or a number.
        derivative: returns its derivatives by x and by v, each (n, n); ``None``: differences.
        size: n.
    """

    def __init__(self, who: str, law: Callable, derivative: Callable | None, size: int):
        self.who, self.law, self.derivative, self.size = who, law, derivative, size

    def value(self, t: float, x: np.ndarray, v: np.ndarray, of: Callable | None = None, shape=()):
        """What the function, or ``of``, returns, as an array."""
        of, shape = of or self.law, shape or (self.size,)
        arguments = (x, v) if self.size > 1 else (float(x[0]), float(v[0]))
        try:
            found = np.array(of(t, *arguments), float).reshape(shape)
        except Exception as error:
            raise StepFailed(
                f"{self.who}: {failure('its function', error, place_of(of))}"
            ) from error
        if not np.isfinite(found).all():
            raise NotFinite(f"{self.who}: at t = {t:.6g} s its function returned {found}.")
        return found

    def line(self, t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Value, and its derivatives by t, x and v, in a row of (n + n + 2 n^2) numbers."""
        n = self.size
        value = self.value(t, x, v)
        h = DIFFERENCE * max(1.0, abs(t))
        by_time = (self.value(t + h, x, v) - value) / h
        if self.derivative is not None:
            by_state = self.value(t, x, v, self.derivative, (2, n, n))
        else:
            by_state = np.zeros((2, n, n))
            for which, z in enumerate((x, v)):
                for k in range(n):
                    h = DIFFERENCE * max(1.0, abs(z[k]))
                    for way in (h, -h):
                        at = [x.copy(), v.copy()]
                        at[which][k] += way
                        by_state[which, :, k] += self.value(t, at[0], at[1]) / (2 * way)
        return np.concatenate([value, by_time, by_state.ravel()])


def continued(c, size: int, x, v) -> list:
    """The function extrapolated from the start of the step: value + derivatives times changes."""
    line, start, n = c.par("line"), c.par("start"), size
    result = []
    for k in range(n):
        force = line[k] + line[n + k] * (c.t - start[0])
        for m in range(n):
            force += line[2 * n + n * k + m] * (x[m] - start[1 + m])
            force += line[2 * n + n * n + n * k + m] * (v[m] - start[1 + n + m])
        result.append(force)
    return result


def sampled_parameters(size: int) -> dict[str, tuple[int, ...]]:
    """Parameters of a sampled load: the ``line`` of its function, and the state it starts from."""
    return {"line": (2 * size * (1 + size),), "start": (1 + 2 * size,)}


def renew(kind, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
    """Call the functions at the end of a step."""
    n = kind.called_law.size
    for row in range(len(parameters)):
        at = [float(observed["now"][row])]
        at += [float(observed[f"{z}{k}"][row]) for z in "xv" for k in range(n)]
        kind.column(parameters, "start")[row] = at
        kind.column(parameters, "line")[row] = kind.called_law.line(
            at[0], np.array(at[1 : 1 + n]), np.array(at[1 + n :])
        )


def state_observed(c, x, v) -> dict[str, Observable]:
    """Observables that ``renew`` needs."""
    values = {f"{name}{k}": z[k] for name, z in (("x", x), ("v", v)) for k in range(len(z))}
    return internal({"now": c.t, **values})


@dataclass(frozen=True)
class SampledForceKind(FrameLoadKind, UpdatesParameters):
    """Force on a point by a Python function, extrapolated within a step."""

    called = "sampled force"

    before_start = True

    called_law: Any = None  # Called

    @property
    def own_parameters(self):
        return sampled_parameters(3)

    def load(self, c, pose):
        return ufl.as_vector(continued(c, 3, pose.r, pose.velocity))

    def observables(self, c):
        pose = self.pose(c)
        return super().observables(c) | state_observed(c, pose.r, pose.velocity)

    def update(self, parameters, observed):
        renew(self, parameters, observed)


class SampledForce(Shown):
    """A force on a frame's point by a Python function of its state.

    The function is called at the start of each step and extrapolated within it by its derivatives
    (finite differences, if you give none). If the function is smooth, the error decreases with the
    square of the step, like that of the time integration. A jump of the function acts from the next
    step on. Statics and modes use the linear extrapolation from the start.

    Args:
        frame: such as ``arm.end``; a rigid body stands for its centre of mass.
        law: ``law(t, position, velocity)``, in s, m and m/s, arrays (3,), returns the force in the
            fixed axes, N, (3,).
        derivative: of the same arguments, returns the derivatives by position and by velocity, two
            matrices (3, 3).
        name: for messages and channels.

    Channels: ``x y z`` (N), ``power`` (W).

    Raises:
        InputError: no function.
        StepFailed: in a run, a function that fails or returns no three finite numbers.

    See docs/connections.md. Example::

        fc.SampledForce(body, lambda t, x, v: -0.2 * np.linalg.norm(v) * v)
    """

    prefix = label = "sampled_force"

    def __init__(
        self, frame, law: Callable | None = None, *, derivative: Callable | None = None,
        name: str | None = None,
    ):  # fmt: skip
        self.name: Any = name
        who = name or self.label
        self.i = resolve_one(frame, who)
        self.law = checked_law(who, law, "lambda t, position, velocity: -0.2 * velocity")
        self.derivative = None if derivative is None else checked_law(who, derivative, "")

    def portrait(self) -> Portrait:
        return Portrait(self.prefix, self.i)

    def build(self, builder) -> None:
        called = Called(self.name, self.law, self.derivative, 3)
        kind = SampledForceKind(self.i.kind, called_law=called)
        start = np.concatenate([[0.0], self.i.position, np.zeros(3)])
        line = _first(called, start)
        numbers = kind.pack_single(self.i.parameters(np.eye(3)), line=line, start=start)
        builder.add_cell(kind, Cell(self.name, self.i.refs, numbers))


@dataclass(frozen=True)
class SampledTorqueKind(TorqueKind):
    """Torque given by a Python function, extrapolated within a step."""

    called = "sampled torque"

    before_start = True

    called_law: Any = None  # Called

    @property
    def own_parameters(self):
        return {"before": (), **sampled_parameters(1)}

    def torque(self, c, angle):
        return continued(c, 1, [angle.value], [angle.rate])[0]

    def observables(self, c):
        angle = self.angle(c)
        return super().observables(c) | state_observed(c, [angle.value], [angle.rate])

    def update(self, parameters, observed):
        super().update(parameters, observed)
        renew(self, parameters, observed)


class SampledTorque(AnglePair):
    """A torque on frame j about ``axis`` of frame i by a Python function of angle and speed.

    See ``SampledForce`` for how the function acts. It acts beside a joint that holds the axis, such
    as a revolute; its opposite acts on frame i. A step may turn it by less than half a turn.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        law: ``law(t, angle, speed)``, in s, rad from the start and rad/s, returns the torque on
            frame j, N m.
        derivative: of the same arguments, returns the derivatives by angle and by speed.
        name: for messages and channels.

    Channels: ``angle`` (rad), ``speed`` (rad/s), ``torque`` (N m, on frame j), ``power`` (W).

    Raises:
        InputError: no axis, no function, frames without a triad.
        StepFailed: in a run, a function that fails or returns no finite number.

    See docs/connections.md. Example::

        fc.SampledTorque(
            ground.at((0, 0, 0)), body.center, (0, 0, 1), lambda t, angle, speed: -3 * angle
        )
    """

    prefix, label, holds = "sampled_torque", "sampled torque", False

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, law: Callable | None = None, *,
        derivative: Callable | None = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, axis, name)
        self.law = checked_law(self.who, law, "lambda t, angle, speed: -0.1 * speed")
        self.derivative = (
            derivative if derivative is None else checked_law(self.who, derivative, "")
        )

    def build(self, builder) -> None:
        called = Called(self.name, self.law, self.derivative, 1)
        kind = SampledTorqueKind(self.i.kind, self.j.kind, called)
        start = np.zeros(3)
        triad = triad_about(self.axis)
        numbers = kind.pack_pair(
            self.i.parameters(triad), self.j.parameters(triad), before=0.0,
            line=_first(called, start), start=start,
        )  # fmt: skip
        self.add_to(builder, kind, numbers)


def _first(called: Called, start: np.ndarray) -> np.ndarray:
    """The line at rest at the start, which ``update`` replaces when a run begins."""
    n = called.size
    try:
        return called.line(start[0], start[1 : 1 + n], start[1 + n :])
    except NotFinite:  # for example the direction of a velocity
        logger.warning(
            "%s: its function is not finite at rest; statics and modes are computed without it.",
            called.who,
        )
        return np.zeros(2 * n * (1 + n))
    except StepFailed as failed:
        raise InputError(str(failed)) from failed
