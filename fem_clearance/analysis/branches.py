"""Branches of periodic orbits: how orbits change with a parameter.

flow = OdeFlow(rhs, size=2, period=lambda w: 2 * np.pi / w)
branch = follow_orbits(flow, 0.4, (0.4, 2.0))         # round the folds
branch.parameter, branch.amplitude(0), branch.stable, branch.turns
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from .continuation import Curve, NotConverged, Solution, Steps, fold
from .flows import Flow
from .orbits import Orbit, Shooting, orbit_at, periodic_orbit, rate_of, scale_of

logger = logging.getLogger(__name__)


class Turn(NamedTuple):
    """A point where a branch folds or its stability changes.

    Attributes:
        kind: ``"fold"`` (the branch turns back), ``"branching"`` (a multiplier passes +1
            elsewhere), ``"period_doubling"`` (-1) or ``"torus"`` (a pair leaves the circle).
        orbit: the orbit there.
    """

    kind: str
    orbit: Orbit


@dataclass
class Branch:
    """Orbits along a curve, in order.

    Attributes:
        orbits: its points, those of ``turns`` among them.
        turns: folds and changes of stability, located between the steps.
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
        """Half the peak-to-peak value of a component along the branch."""
        return np.array([o.amplitude(component) for o in self.orbits])

    def pieces(
        self, component: int = 0, *, points: int = 1
    ) -> list[tuple[np.ndarray, np.ndarray, bool]]:
        """Parameter, amplitude and stability of the pieces between the turns, with their ends, for
        plots.

        Args:
            component: of the amplitude.
            points: number of points per step from orbit to orbit; if more than one, they lie on a
                smooth curve through the orbits (PCHIP, which adds no extremes) that rounds folds.
        """
        p, a = self.parameter, self.amplitude(component)
        where = [k for k, o in enumerate(self.orbits) if any(o is t.orbit for t in self.turns)]
        cuts = sorted({0, *where, len(p) - 1})
        found = []
        for first, last in zip(cuts[:-1], cuts[1:], strict=True):
            inner = self.stable[first + 1 : last] if last > first + 1 else self.stable[[last]]
            x, y = _smooth(p, a, first, last, points)
            found.append((x, y, bool(inner[len(inner) // 2])))
        return found

    @property
    def folds(self) -> list[Orbit]:
        """Orbits where the branch turns back."""
        return [t.orbit for t in self.turns if t.kind == "fold"]

    def at(self, parameter: float) -> list[Orbit]:
        """Orbits of the branch at a parameter, one per passage, by shooting from neighbours."""
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


def _smooth(
    p: np.ndarray, a: np.ndarray, first: int, last: int, points: int
) -> tuple[np.ndarray, np.ndarray]:
    """The section of a curve between two of its orbits, with ``points`` points per step."""
    if points == 1:
        return p[first : last + 1], a[first : last + 1]
    from scipy.interpolate import PchipInterpolator

    sizes = [np.ptp(z) or 1.0 for z in (p, a)]
    chords = np.hypot(np.diff(p) / sizes[0], np.diff(a) / sizes[1])
    apart = np.r_[True, chords > 0]  # the same orbit twice
    place = np.r_[0.0, np.cumsum(chords)]
    curve = PchipInterpolator(place[apart], np.column_stack([p, a])[apart])
    ends = place[first : last + 1]
    steps = [
        np.linspace(b, e, points, endpoint=False) for b, e in zip(ends, ends[1:], strict=False)
    ]
    return curve(np.concatenate([*steps, ends[-1:]])).T


def follow_orbits(
    flow: Flow,
    start: float,
    limits: tuple[float, float],
    guess: ArrayLike | None = None,
    *,
    upwards: bool | None = None,
    period: float | None = None,
    periods: int = 0,
    scale: Sequence[float] | None = None,
    steps: Steps | None = None,
    watch: Callable[[Orbit], bool] | None = None,
) -> Branch:
    """Orbits along a curve, from one at ``start`` until the parameter leaves the limits.

    Args:
        flow: an ``OdeFlow`` or ``SystemFlow``.
        start: parameter of the first orbit.
        limits: lowest and highest parameter.
        guess, period, periods, scale: of the first orbit, see ``periodic_orbit``.
        upwards: whether the parameter increases at first; default: towards the more distant limit.
        steps: lengths of steps, tolerances.
        watch: called with each orbit; the branch ends when it returns ``True``.

    Raises:
        InputError: no first orbit, limits in the wrong order.
    """
    low, high = (checks.number("limits", p) for p in limits)
    if not low < high or not low <= start <= high:
        raise InputError(f"low <= start <= high is needed, got {low:g}, {start:g}, {high:g}.")
    first = periodic_orbit(
        flow, start, guess, period=period, periods=periods, scale=scale, steps=steps
    )
    size = scale_of(flow, start, first.state, first.period) if scale is None else np.array(scale)
    rate = rate_of(flow, first.state, start, first.period)
    shooting = Shooting(flow, first.state, rate)
    curve = Curve(shooting, size, high - low, steps or Steps(tolerance=flow.precision))
    z = np.append(first.state, first.period) if flow.autonomous else first.state
    if upwards is None:
        upwards = high - start >= start - low
    last = curve.start(z, start, upwards)
    before = orbit_at(shooting, last)
    branch = Branch([before], [])
    for point, length in curve.follow(last, low, high):
        orbit = orbit_at(shooting, point)
        turns = _turns(curve, shooting, last, point, before, orbit, length)
        branch.turns += turns
        branch.orbits += [*(t.orbit for t in turns), orbit]
        before = orbit
        last = point
        if flow.autonomous:  # the phase condition refers to the latest orbit
            shooting.reference = orbit.state
            shooting.rate = rate_of(flow, orbit.state, orbit.parameter, orbit.period)
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
        orbits[point.parameter] = orbit = orbit_at(shooting, point)
        return value(point, orbit)

    try:
        found = curve.locate(last, length, at)
        return orbits[found.parameter]
    except (NotConverged, ValueError) as reason:
        logger.warning(
            "a fold or change of stability near parameter %g could not be located: %s",
            last.parameter,
            reason,
        )
        return orbits[last.parameter]


def _outside(orbit: Orbit) -> np.ndarray:
    values = orbit.relevant
    return values[np.abs(values) > 1]


def _passage(before: Orbit, now: Orbit):
    """Kind of the multiplier that crosses the unit circle, and a function with a zero there."""
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
