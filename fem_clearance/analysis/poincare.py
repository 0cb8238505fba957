"""Poincare sections from simulations, and bifurcation diagrams.

points = stroboscopic(results, 0.1, ["body.x", "body.vx"], skip=50)
impacts = section(results, "joint.penetration", ["body.vx"])
diagram = bifurcation(model, values, period=lambda w: 2 * np.pi / w, observe=["body.x"])
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import checks
from ..core.initial import SystemState
from ..core.state import State
from ..errors import InputError
from ..model.system import System
from ..timestepping.events import ONSET, Event
from ..timestepping.stepper import Stepper
from .coordinates import IndependentCoordinates
from .signals import crossings, interpolant

logger = logging.getLogger(__name__)


@dataclass
class Section:
    """Points of a motion.

    Attributes:
        time: s.
        points: a row for each point, a column for each channel.
        names: of the channels.
    """

    time: np.ndarray
    points: np.ndarray
    names: list[str]

    def __getitem__(self, name: str) -> np.ndarray:
        """One channel at all points."""
        if name not in self.names:
            raise InputError(f"the section has no {name!r}{checks.suggestion(name, self.names)}.")
        return self.points[:, self.names.index(name)]


def _points(source, names: Sequence[str], times: np.ndarray, rates: Mapping[str, str]) -> Section:
    """Channels at given times, between the rows."""
    if not names:
        raise InputError("name at least one channel.")
    columns = [
        interpolant(source["time"], source[n], source[rates[n]] if n in rates else None)(times)
        for n in names
    ]
    return Section(times, np.column_stack(columns), list(names))


def stroboscopic(
    results,
    period: float,
    names: Sequence[str],
    *,
    phase: float = 0.0,
    skip: int = 0,
    rates: Mapping[str, str] | None = None,
) -> Section:
    """Channels once a period.

    Args:
        results: ``Results``, or a mapping from channel to array with ``time``.
        period: of the excitation, s.
        names: channels.
        phase: fraction of the period after which channels are read, 0 to 1.
        skip: number of periods omitted at the start.
        rates: channels of time derivatives, if there are any: ``{"body.x": "body.vx"}``.

    Raises:
        InputError: a run without a period after the skipped ones, an unknown channel.

    Example::

        t = np.linspace(0, 5, 5001)
        points = analysis.stroboscopic({"time": t, "x": np.cos(2 * np.pi * t)}, 1.0, ["x"])
    """
    T, t = checks.positive("period", period), np.asarray(results["time"])
    phase = checks.within("phase", phase, 0.0, 1.0)
    first = skip + int(np.ceil(t[0] / T - phase - 1e-9))
    count = int(np.floor(t[-1] / T - phase + 1e-9)) - first + 1
    if count < 1:
        raise InputError(
            f"the run of {t[-1] - t[0]:g} s holds no period of {T:g} s after the {skip} skipped."
        )
    times = np.clip((first + np.arange(count) + phase) * T, t[0], t[-1])
    return _points(results, names, times, rates or {})


def section(
    results,
    name: str,
    names: Sequence[str],
    *,
    level: float = 0.0,
    direction: str = "up",
    skip: float = 0.0,
    rates: Mapping[str, str] | None = None,
) -> Section:
    """Channels whenever the channel ``name`` crosses a level.

    For impacts use the channel of the gap, such as ``joint.eccentricity`` with the clearance as
    level (``joint.penetration`` does not cross zero).

    Args:
        results, names, rates: as in ``stroboscopic``.
        name: channel that crosses the level.
        level: in the unit of that channel.
        direction: ``"up"``, ``"down"`` or ``"both"``.
        skip: time omitted at the start, s.
    """
    rates = rates or {}
    slope = results[rates[name]] if name in rates else None
    times = crossings(results["time"], results[name], level, slope, direction)
    times = times[times >= results["time"][0] + skip]
    return _points(results, names, times, rates)


def impacts(events: Iterable[Event], owner: str, period: float, after: float = 0.0) -> np.ndarray:
    """Impact section: phase (0 to 1) and approach speed (m/s) of each onset, (onsets, 2).

    Args:
        events: of results or of a ``Stepper``.
        owner: the joint.
        period: of the excitation, s.
        after: time before which onsets are omitted, s.
    """
    rows = [
        (e.time / period % 1.0, e.speed)
        for e in events
        if e.kind == ONSET and e.owner == owner and e.time > after
    ]
    return np.array(rows).reshape(-1, 2)


@dataclass
class Diagram:
    """A bifurcation diagram.

    Attributes:
        parameter: values, in the order in which they were run.
        sections: stroboscopic points at each.
        impacts: phase and approach speed of each onset, if a joint was given.
    """

    parameter: np.ndarray
    sections: list[Section]
    impacts: list[np.ndarray]

    def points(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Parameter and value of a channel at every point, for a plot."""
        p = np.repeat(self.parameter, [len(s.time) for s in self.sections])
        return p, np.concatenate([s[name] for s in self.sections])

    def orders(self, name: str, tolerance: float) -> np.ndarray:
        """Period of the motion in periods of the excitation at each parameter, by one channel; 0 if
        it does not repeat within the recorded ones.

        Args:
            name: of the channel.
            tolerance: largest difference that is regarded as zero, in the channel's unit.
        """
        return np.array([_order(s[name], tolerance) for s in self.sections])


def _order(x: np.ndarray, tolerance: float) -> int:
    for n in range(1, len(x) // 2 + 1):
        if np.max(np.abs(x[n:] - x[:-n])) <= tolerance:
            return n
    return 0


def bifurcation(
    build: Callable[[float], System],
    values: Iterable[float],
    period: float | Callable[[float], float],
    observe: Sequence[str],
    *,
    settle: int = 100,
    keep: int = 32,
    contact: str | None = None,
    follow: bool = True,
    rates: Mapping[str, str] | None = None,
    integrator: Any = None,
    dt: float | None = None,
    tolerance: float = 1e-7,
    contact_tolerance: float = 1e-4,
) -> Diagram:
    """Attractors of a system over a parameter, by running it until it settles.

    Args:
        build: ``build(parameter)`` returns a new ``System`` (on one rank).
        values: of the parameter, in the order of the runs; up and then down shows hysteresis.
        period: of the excitation in s, a number or a function of the parameter.
        observe: channels to record once per period.
        settle, keep: numbers of periods that are omitted, and recorded.
        contact: a joint whose onsets are recorded too.
        follow: start each run from the end of the previous one (its coordinates, velocities and
            contacts), else as built.
        rates: as in ``stroboscopic``.
        integrator, dt, tolerance, contact_tolerance: of the ``Stepper``; adaptive without ``dt``.

    Raises:
        InputError: no channel or an unknown one to observe.
        StepFailed: a run that fails.
    """
    settle, keep = int(checks.non_negative("settle", settle)), checks.count("keep", keep)
    if not observe:
        raise InputError("name at least one channel to observe.")
    needed = list(dict.fromkeys([*observe, *(rates or {}).values()]))
    diagram = Diagram(np.array([checks.number("parameter", v) for v in values]), [], [])
    before: tuple[IndependentCoordinates, State] | None = None
    for value in diagram.parameter:
        picked = IndependentCoordinates(build(float(value)), before and before[0])
        initial = _go_on(*before, picked) if follow and before is not None else None
        T = period(float(value)) if callable(period) else period
        stepper = Stepper(
            picked.system, integrator, dt=dt, t_end=(settle + keep) * T, tolerance=tolerance,
            contact_tolerance=contact_tolerance, initial=initial,
        )  # fmt: skip
        stepper.start()
        rows = _run(stepper, needed, (settle - 0.5) * T)
        diagram.sections.append(stroboscopic(rows, T, observe, skip=1, rates=rates))
        if contact is not None:
            diagram.impacts.append(impacts(stepper.events, contact, T, settle * T))
        logger.debug("parameter %g: %d steps", value, stepper.steps)
        before = picked, stepper.state
    return diagram


def _run(stepper: Stepper, names: Sequence[str], after: float) -> dict[str, np.ndarray]:
    """Rows of some channels from a time on."""
    channels = stepper.channels
    for n in names:
        if n not in channels.names:
            raise InputError(f"there is no channel {n!r}{checks.suggestion(n, channels.names)}.")
    at = [channels.names.index(n) for n in names]
    times, rows = [], []
    while True:
        if stepper.t >= after:
            times.append(stepper.t)
            rows.append(channels.values[at])
        if stepper.t >= stepper.t_end:
            break
        stepper.advance()
    return {"time": np.array(times), **dict(zip(names, np.array(rows).T, strict=True))}


def _go_on(
    before: IndependentCoordinates, end: State, picked: IndependentCoordinates
) -> SystemState:
    """Initial state of a system that continues from the end of one with the same structure."""
    memory = SystemState.of(end, 0.0).changed
    return replace(picked.write(before.read(end)), changed=memory)
