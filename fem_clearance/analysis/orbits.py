"""Periodic orbits, their stability, and how both change with a parameter.

    flow = OdeFlow(rhs, size=2, period=lambda w: 2 * np.pi / w)
    branch = follow_orbits(flow, 0.4, (0.4, 2.0))         # round the folds
    branch.parameter, branch.amplitude(0), branch.stable, branch.turns

Shooting: x is on an orbit if the flow brings it back after a period. The eigenvalues of the
derivative of that map (the monodromy matrix) are the Floquet multipliers; an orbit is stable when
all lie inside the unit circle.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .. import checks
from ..errors import InputError
from .continuation import Curve, NotConverged, Solution, Steps, fold
from .flows import Flow, Motion
from .signals import Extremes, extremes

logger = logging.getLogger(__name__)


@dataclass
class Orbit:
    """A periodic motion.

    Attributes:
        flow: of which it is an orbit.
        parameter: its value.
        state: x at the start of a period.
        period: s.
        monodromy: derivative of x after a period by x.
    """

    flow: Flow = field(repr=False)
    parameter: float
    state: np.ndarray
    period: float
    monodromy: np.ndarray = field(repr=False)

    @cached_property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers, the largest first."""
        values = np.linalg.eigvals(self.monodromy)
        return values[np.argsort(-np.abs(values))]

    @property
    def relevant(self) -> np.ndarray:
        """The multipliers without the one that is 1 for every autonomous orbit."""
        values = self.multipliers
        if not self.flow.autonomous:
            return values
        return np.delete(values, np.argmin(np.abs(values - 1)))

    @property
    def stable(self) -> bool:
        """Whether every neighbouring motion comes back to it."""
        return bool(np.all(np.abs(self.relevant) < 1))

    @cached_property
    def motion(self) -> Motion:
        """A period at 257 times (a System: at its steps)."""
        return self.flow.motion(self.state, self.parameter, 256, self.period)

    def extremes(self, component: int = 0) -> Extremes:
        """Lowest and highest value of a component, between the times of ``motion`` too."""
        m = self.motion
        return extremes(m.time, m.states[:, component], m.rates[:, component])

    def amplitude(self, component: int = 0) -> float:
        """Half of peak to peak of a component."""
        found = self.extremes(component)
        return (found.high - found.low) / 2

    def harmonics(self, component: int = 0, count: int = 8) -> np.ndarray:
        """Complex amplitudes of the mean and the first ``count`` harmonics: the motion is the real
        part of sum c_k exp(2 pi i k t / period)."""
        values = self.motion.states[:-1, component]
        lines = np.fft.rfft(values) / len(values)
        lines[1:] *= 2
        return lines[: count + 1]


class Turn(NamedTuple):
    """A point where a branch folds or its stability changes.

    Attributes:
        kind: ``"fold"`` (the branch turns back), ``"branching"`` (a multiplier passes +1 elsewhere),
            ``"period_doubling"`` (-1) or ``"torus"`` (a pair leaves the circle).
        orbit: the orbit there.
    """

    kind: str
    orbit: Orbit


@dataclass
class Branch:
    """Orbits along a curve, in order.

    Attributes:
        orbits: its points.
        turns: folds and changes of stability, located between the points.
    """

    orbits: list[Orbit]
    turns: list[Turn]

    @property
    def parameter(self) -> np.ndarray:
        """Parameter of each orbit."""
        return np.array([o.parameter for o in self.orbits])

    @property
    def stable(self) -> np.ndarray:
        """Whether each orbit is stable."""
        return np.array([o.stable for o in self.orbits])

    @property
    def states(self) -> np.ndarray:
        """Initial states, orbits x size."""
        return np.array([o.state for o in self.orbits])

    @property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers, orbits x size."""
        return np.array([o.multipliers for o in self.orbits])

    def amplitude(self, component: int = 0) -> np.ndarray:
        """Half of peak to peak of a component along the branch."""
        return np.array([o.amplitude(component) for o in self.orbits])

    @property
    def folds(self) -> list[Orbit]:
        """Orbits where the branch turns back."""
        return [t.orbit for t in self.turns if t.kind == "fold"]

    def at(self, parameter: float) -> list[Orbit]:
        """Orbits of the branch at a parameter, one a passage, by shooting from its neighbours."""
        p, found = self.parameter, []
        for k in np.flatnonzero((p[:-1] - parameter) * (p[1:] - parameter) <= 0):
            if p[k] == p[k + 1]:
                continue
            part = (parameter - p[k]) / (p[k + 1] - p[k])
            ends = self.orbits[k], self.orbits[k + 1]
            guess = (1 - part) * ends[0].state + part * ends[1].state
            period = (1 - part) * ends[0].period + part * ends[1].period
            found.append(periodic_orbit(ends[0].flow, parameter, guess, period=period))
        return found


class _Shooting:
    """Residual of a periodic orbit in z = x, or (x, period) for autonomous equations."""

    def __init__(self, flow: Flow, reference: np.ndarray, rate: np.ndarray | None):
        self.flow, self.reference, self.rate = flow, reference, rate

    def split(self, z):
        return (z[:-1], float(z[-1])) if self.flow.autonomous else (z, None)

    def __call__(self, z, parameter):
        x, period = self.split(z)
        if period is not None and not period > 0:
            raise NotConverged("the period is not positive")
        end, monodromy, by_parameter, rate = self.flow.carry(x, parameter, period)
        self.monodromy = monodromy
        residual, by_z = end - x, monodromy - np.eye(len(x))
        if period is not None:
            # the phase is free: stay in the plane across the reference orbit
            assert self.rate is not None
            unit = self.rate / np.linalg.norm(self.rate)
            residual = np.append(residual, unit @ (x - self.reference))
            by_z = np.block([[by_z, rate[:, None]], [unit[None, :], np.zeros((1, 1))]])
            by_parameter = np.append(by_parameter, 0.0)
        return residual, by_z, by_parameter


def settle(flow: Flow, parameter: float, x, periods: int) -> np.ndarray:
    """State after so many periods: near an attractor, if there is one."""
    x = np.asarray(x, float)
    for _ in range(periods):
        x = flow.end(x, parameter)
    return x


def _guess(flow, parameter, guess, period, periods):
    x = flow.initial(parameter)
    if guess is not None:
        x = np.asarray(guess, float)
    if x.shape != (flow.size,):
        raise InputError(f"the guess must be {flow.size} numbers, got {guess!r}.")
    if flow.autonomous and period is None:
        raise InputError("autonomous equations need a guess of the period: period= in s.")
    return settle(flow, parameter, x, periods)


def _scale(flow, parameter, x, period) -> np.ndarray:
    """Size of each component over a period from x, and of an unknown period."""
    size = flow.scale(x, parameter, period)
    return np.append(size, period) if flow.autonomous else size


def periodic_orbit(
    flow: Flow,
    parameter: float,
    guess=None,
    *,
    period: float | None = None,
    periods: int = 0,
    scale: Sequence[float] | None = None,
    steps: Steps | None = None,
) -> Orbit:
    """A periodic orbit near a guess, stable or not, by shooting.

    Args:
        flow: an ``OdeFlow`` or ``SystemFlow``.
        parameter: its value.
        guess: state at the start of a period; default: of a ``SystemFlow`` as built, else 0.
        period: guess of the period of autonomous equations, s.
        periods: run the guess for so many periods first.
        scale: size of the motion in each component, by which errors are judged; default: half of
            peak to peak over a period from the guess.

    Raises:
        InputError: no orbit found.
    """
    x = _guess(flow, parameter, guess, period, periods)
    shooting = _Shooting(flow, x, _rate(flow, x, parameter, period))
    size = _scale(flow, parameter, x, period) if scale is None else np.asarray(scale, float)
    steps = steps or Steps(tolerance=flow.precision)
    curve = Curve(shooting, size, abs(parameter) or 1.0, steps)
    z = x if period is None or not flow.autonomous else np.append(x, period)
    try:
        found = curve.start(z, parameter, True)
    except (NotConverged, np.linalg.LinAlgError) as reason:
        raise InputError(
            f"no periodic orbit near the guess at parameter {parameter:g} ({reason}); give a "
            "better guess, or periods= to let the motion settle."
        ) from None
    return _orbit(shooting, found)


def _rate(flow, x, parameter, period):
    return flow.motion(x, parameter, 1, period).rates[0] if flow.autonomous else None


def _orbit(shooting: _Shooting, found: Solution) -> Orbit:
    flow = shooting.flow
    x, period = shooting.split(found.z)
    T = flow.period(found.parameter) if period is None else period
    return Orbit(flow, found.parameter, x, T, shooting.monodromy.copy())


def follow_orbits(
    flow: Flow,
    start: float,
    limits: tuple[float, float],
    guess=None,
    *,
    upwards: bool | None = None,
    period: float | None = None,
    periods: int = 0,
    scale: Sequence[float] | None = None,
    steps: Steps | None = None,
    watch: Callable[[Orbit], bool] | None = None,
) -> Branch:
    """Orbits along a curve from one at ``start`` until the parameter leaves the limits.

    Args:
        flow: an ``OdeFlow`` or ``SystemFlow``.
        start: parameter of the first orbit.
        limits: lowest and highest parameter.
        guess, period, periods, scale: of the first orbit, see ``periodic_orbit``.
        upwards: whether the parameter grows at first; default: towards the further limit.
        steps: lengths of steps, tolerances.
        watch: called with each orbit; the branch ends where it returns ``True``.

    Raises:
        InputError: no first orbit, limits in the wrong order.
    """
    low, high = (checks.number("limits", p) for p in limits)
    if not low < high or not low <= start <= high:
        raise InputError(f"low <= start <= high is needed, got {low:g}, {start:g}, {high:g}.")
    first = periodic_orbit(
        flow, start, guess, period=period, periods=periods, scale=scale, steps=steps
    )
    size = _scale(flow, start, first.state, first.period) if scale is None else np.array(scale)
    rate = _rate(flow, first.state, start, first.period)
    shooting = _Shooting(flow, first.state, rate)
    curve = Curve(shooting, size, high - low, steps or Steps(tolerance=flow.precision))
    z = np.append(first.state, first.period) if flow.autonomous else first.state
    if upwards is None:
        upwards = high - start >= start - low
    last = curve.start(z, start, upwards)
    branch = Branch([_orbit(shooting, last)], [])
    for point, length in curve.follow(last, low, high):
        orbit = _orbit(shooting, point)
        branch.turns += _turns(curve, shooting, last, point, branch.orbits[-1], orbit, length)
        branch.orbits.append(orbit)
        last = point
        if flow.autonomous:  # the phase condition moves along
            shooting.reference = orbit.state
            shooting.rate = _rate(flow, orbit.state, orbit.parameter, orbit.period)
        if watch is not None and watch(orbit):
            break
    return branch


def _turns(curve, shooting, last, point, before: Orbit, now: Orbit, length) -> list[Turn]:
    """Folds and changes of stability between two points, located."""
    if fold(last) * fold(point) < 0:
        return [Turn("fold", _located(curve, shooting, last, length, lambda s, o: fold(s)))]
    if before.stable == now.stable and len(_outside(before)) == len(_outside(now)):
        return []
    kind, value = _passage(before, now)
    return [Turn(kind, _located(curve, shooting, last, length, lambda s, o: value(o)))]


def _located(curve, shooting, last, length, value) -> Orbit:
    orbits = {}

    def at(point: Solution) -> float:
        if point is last:  # its monodromy is not the one evaluated last
            shooting(point.z, point.parameter)
        orbits[point.parameter] = orbit = _orbit(shooting, point)
        return value(point, orbit)

    try:
        found = curve.locate(last, length, at)
        return orbits[found.parameter]
    except (NotConverged, ValueError) as reason:
        logger.warning("not located near parameter %g: %s", last.parameter, reason)
        return orbits[last.parameter]


def _outside(orbit: Orbit) -> np.ndarray:
    values = orbit.relevant
    return values[np.abs(values) > 1]


def _passage(before: Orbit, now: Orbit):
    """What kind of multiplier passes the unit circle, and a function with a zero there."""
    many, few = sorted((before, now), key=lambda o: -len(_outside(o)))
    inside = few.relevant
    leaving = max(
        _outside(many), key=lambda m: np.min(np.abs(inside[np.abs(inside) <= 1] - m), initial=9e9)
    )
    if abs(leaving.imag) > 1e-6 * abs(leaving):
        return "torus", lambda o: np.max(np.abs(o.relevant)) - 1
    if leaving.real > 0:
        return "branching", lambda o: np.max(o.relevant.real) - 1
    return "period_doubling", lambda o: np.min(o.relevant.real) + 1
