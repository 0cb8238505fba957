"""Step size control: how well a step resolves the motion, and the length of the next one."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.initial import SystemState
from ..core.problem import Model
from .event_set import EventSet, Resolution
from .limits import Limits
from .settings import StepSettings, is_explicit
from .step_engine import StepEngine

#: change of the depth in a step, relative to the depth, up to which fixed steps need not resolve
#: the vibration of a contact under a load that keeps it closed
PRESSED = 1e-2
#: distance, as a fraction of a fixed step, within which a point of the grid and a change of a law
#: are treated as one
SNAP_FRACTION = 1e-2
#: round-off of positions relative to the system's size, and the change of velocities that it may
#: cause, relative to the size over the time in which the system moves
ROUND_OFF, NOISE = 1e-15, 1e-6


def shortest_trial(h: float, scale: float) -> float:
    """Step, s, whose trial steps (``StepEngine.restart``; the shorter is a hundredth of it) are
    long enough for accelerations.

    In trial steps of tau round-off of positions leaves 2 ROUND_OFF / tau^2 times the system's size
    in accelerations, which change velocities over the steps that follow.

    Args:
        h: those steps, s.
        scale: time in which the system moves by its size, s.
    """
    return 100 * sqrt(2 * ROUND_OFF / NOISE * h * scale)


@dataclass
class Controller:
    """Chooses steps so that the error of each stays near (and below) one.

    Args:
        h: step to begin with, s.
        smallest, largest: limits of a step, s.
        order: the error of a step grows as h**order.
    """

    h: float
    smallest: float
    largest: float
    order: int = 3
    safety: float = 0.8
    grow: float = 2.0
    shrink: float = 0.1
    #: an accepted step changes only by more than these: a changed step costs a new tangent
    min_growth: float = 1.5
    max_shrink_kept: float = 0.9
    rejected: int = field(default=0, init=False)
    cautious: bool = field(default=False, init=False)

    def factor(self, error: float) -> float:
        """Change of the step that would bring the error to ``safety**order``."""
        if not error > 0:
            return self.grow
        return min(self.grow, max(self.shrink, self.safety * error ** (-1 / self.order)))

    def accept(self, error: float, h: float) -> bool:
        """Judge a step of size ``h``; sets the size of the next (or repeated) one.

        A step at the smallest size is accepted whatever its error: smaller ones resolve nothing.
        """
        if error <= 1 or h <= self.smallest * (1 + 1e-12):
            factor = self.factor(error)
            whole = h >= self.h * (1 - 1e-12)  # not shortened to hit a time
            if factor < self.max_shrink_kept or (
                factor >= self.min_growth and whole and not self.cautious
            ):
                self._set(h * factor)
            self.cautious = False
            return True
        self._reject(h * min(self.factor(error), 0.9))
        return False

    def cut(self, h: float, by: float = 0.25) -> bool:
        """After a step without solution; ``False`` when it was the smallest already."""
        if h <= self.smallest * (1 + 1e-12):
            return False
        self._reject(h * by)
        return True

    def _reject(self, h: float):
        self.rejected += 1
        self.cautious = True  # the step after a rejected one does not grow
        self._set(h)

    def _set(self, h: float):
        self.h = min(self.largest, max(self.smallest, h))

    def next(self, left: float) -> float:
        """The next step when ``left`` seconds remain to a time that must be hit exactly."""
        if abs(left - self.h) <= 1e-9 * self.h:
            return self.h  # the same number each time: what is kept for it is good
        if left <= self.h:
            return left
        return left / 2 if left < 2 * self.h else self.h


def controller(
    settings: StepSettings, integrator: Any, system: Model, initial: SystemState | None, span: float
) -> Controller:
    """Controller for the steps of a run of ``span``, s. The first step is the one given, a stable
    one, or a small one that the stepper may still shorten; collective."""
    h, smallest = settings.dt, settings.smallest
    if h is None and is_explicit(integrator):
        h = min(integrator.default_step(system, initial), span)
    elif h is None:
        h = span / 100
    if settings.adaptive:
        order = getattr(integrator, "order", 2) + 1
        return Controller(h, smallest or 1e-10 * span, max(span / 10, h), order)
    return Controller(h, smallest or 1e-6 * h, h)


class Milestones:
    """Times that steps hit: the end, points of the grid of fixed steps, foreseen changes of laws,
    and those where a table of a function of time bends.

    Args:
        origin: where the run starts, s.
        dt: the fixed step, or the first one, s.
        adaptive: whether there is no grid.
        stops: where tables bend, s, increasing; a fixed step may pass over one of them, not two.

    Attributes:
        grid: whole steps of a fixed run so far.
    """

    def __init__(self, origin: float, dt: float, adaptive: bool, stops: ArrayLike = ()):
        self.origin, self.dt, self.adaptive = origin, dt, adaptive
        self.stops: list[float] = np.asarray(stops, float).tolist()
        self.near, self.grid, self.goal = SNAP_FRACTION * dt, 0, origin

    def next(self, t: float, change: float, t_end: float) -> tuple[float, bool]:
        """Where the coming step must end at the latest, and whether a law changes there.

        Args:
            t: where it begins, s.
            change: when the next law changes, s.
            t_end: of the run, s.
        """
        target, changes = self._goal(change, t_end)
        if self.stops:
            k = bisect_left(self.stops, t + self.near) + (not self.adaptive)
            if k < len(self.stops) and self.stops[k] < target - self.near:
                return self.stops[k], False
        return target, changes

    def _goal(self, change: float, t_end: float) -> tuple[float, bool]:
        """The same without stops."""
        goal = t_end if self.adaptive else self.origin + (self.grid + 1) * self.dt
        if goal > t_end - 1e-6 * self.dt:
            goal = t_end
        self.goal = goal
        if goal == t_end and change > goal - self.near:
            return goal, False
        late = goal if self.adaptive else goal + self.near
        return (change, True) if change < late else (goal, False)

    def reached(self, target: float) -> None:
        """A step has ended at ``target``; a point of the grid beside it counts as reached."""
        if not self.adaptive:
            self.grid += abs(target - self.goal) < self.near


class StepErrors:
    """Judges steps.

    Args:
        scheme, event_set, limits, settings: of the run.

    Attributes:
        limit: the unknown (its number) or the contact that limits the adaptive step judged last, ""
            if another rank knows.
    """

    def __init__(
        self, scheme: StepEngine, event_set: EventSet, limits: Limits, settings: StepSettings
    ):
        self.scheme, self.event_set, self.limits = scheme, event_set, limits
        self.tolerance = settings.tolerance
        self.contact_tolerance = settings.contact_tolerance
        self._problem = problem = scheme.state.problem
        self.numbers = problem.numbers
        #: of positions, m, times the scheme's answer to what is left of constraints
        self.round_off = ROUND_OFF * problem.extent * scheme.answer
        n = problem.owned
        self._rows = np.flatnonzero((problem.order[:n] == 1) & (problem.typical[:n] > 0))
        self.limit: int | str = ""

    def _lengths(self) -> np.ndarray:
        """The system's size in units of each owned unknown."""
        extent = self._problem.extent
        return extent / self._problem.characteristic_length(extent)

    @cached_property
    def length(self) -> np.ndarray:
        """Error of each owned unknown that is as bad as one of the system's size; fixed steps need
        none."""
        result = self._lengths()
        result[self._rows] = 1.0
        return result

    @cached_property
    def rates(self) -> np.ndarray:
        """Typical values of fields of first order, 0 of others."""
        result = np.zeros(self._problem.owned)
        result[self._rows] = self._lengths()[self._rows]
        return result

    @property
    def noise(self) -> float:
        """Round-off of accelerations: ``round_off`` times da/dq."""
        return self.round_off * self.scheme.newton.c.beta

    def largest(self, h: float, onset: bool) -> float:
        """Largest local error of a step in units of its tolerance; collective.

        Args:
            onset: the step ends at an onset, and contacts are not judged, as they have only begun.
        """
        noise, tolerance = self.noise, self.contact_tolerance
        errors = self._of_fields(self.scheme.error(h, noise), h) / (self.tolerance * self.length)
        worst = int(np.argmax(errors)) if len(errors) else None
        mine = 0.0 if worst is None else float(errors[worst])
        if np.isnan(mine):  # no step is accepted with it; the largest over ranks might lose it
            mine = np.inf
        error = self.event_set.largest(mine)
        self.limit = int(self.numbers[worst]) if mine == error and worst is not None else ""
        if self.event_set.any and not onset:
            found = self.event_set.resolution(h, noise, tolerance)
            # it grows as h^2, the controller expects h^3 (of a scheme of second order)
            power = (self.scheme.order + 1) / 2
            mine, largest = ((z / tolerance) ** power for z in (found.mine, found.largest))
            if largest > error:
                error = largest
                self.limit = f"contact_tolerance of {found.owner}" if mine == largest else ""
            if found.hidden > tolerance:
                self.limits.blurred(found.owner, tolerance, found.hidden)
        return error

    def _of_fields(self, errors: np.ndarray, h: float) -> np.ndarray:
        """The same, those of fields of first order relative to their values and in no unit of time.

        The unknown of such a field is its integral over time: its error over the step is one of
        values, and falls by an order less than theirs do.
        """
        if len(rows := self._rows):
            value = errors[rows] / (h * self.rates[rows])
            errors[rows] = value * (value if self.scheme.order == 1 else np.sqrt(value))
        return errors

    def borne(self, h: float) -> tuple[Resolution, float]:
        """How well a fixed step resolves the contacts, and the factor by which the square of its
        length could be larger; collective."""
        limit = self.scheme.bearable
        found = self.event_set.resolution(h, self.noise, limit, PRESSED)
        return found, min(limit / found.largest, 1e9) if found.largest > 0 else 1e9
