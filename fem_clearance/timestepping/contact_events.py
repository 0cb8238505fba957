"""The contacts of one component, watched from step to step by ``core/compiled/contacts.c``: when
they begin and end."""

from __future__ import annotations

from math import inf, isfinite, sqrt

import numpy as np

from ..core.mixins import GAP_HISTORY, has_gap
from ..core.observation import Channels
from .events import LOSS, ONSET, SLIP, STICK, Event
from .gaps import FLOOR, WATCHED

#: where round-off prevents the wanted resolution: multiple of it to which contacts are resolved
BLURRED = 4.0


class ContactEvents:
    """The contacts of one component on this rank.

    Args:
        position, number: of the component, among those that observe and among all.
        instant: a contact this old, s, is taken to begin at the end of the step.

    Attributes:
        owners: the joint of each contact.
        observed: present depth, rate and acceleration of all contacts.
        touching, approach, active, floor, by_phase: parameters of the contacts, where the forms
            read them (see ``WATCHED``).
        peak, direction, entry, slow: what is kept of a contact: the largest size of the rate in
            this phase (compression or restitution), m/s; the sign of the rate, 0 while free; the
            speed at which the contact began, m/s; 1 once the least approach speed was in force.
        growing: contacts whose least approach speed follows the fastest motion so far.
        before, now: depth, rate and acceleration of each contact at the start of the step and at
            its end.
        free: contacts that were free at the start of the step.
        modes: whether they are changes between sticking and slipping, which may be held;
            ``slipping``: then 1 for those that slip.
        new: numbers of those that began in the step.
    """

    def __init__(self, channels: Channels, position: int, number: int, instant: float):
        self.instant, state = instant, channels.state
        component, observed = state.components[number], channels.observed[position]
        kind = component.kind
        assert has_gap(kind)
        parameters = state.parameters[number]
        names = list(component.observables)
        self.owners = [component.owners[k] for k in component.owner]
        self.observed = [observed[:, names.index(n)] for n in kind.gap]
        self.approach, self.touching, self.active, self.floor, self.by_phase = (
            kind.column(parameters, n) for n in WATCHED
        )
        self.peak, self.direction, self.entry, self.slow = (
            kind.column(parameters, n) for n in GAP_HISTORY
        )
        self.hysteretic = kind.hysteretic
        derived = kind.column(component.parameters, "floor") == 0
        grows = derived & (not np.any(state.problem.gravity))
        self.growing = np.flatnonzero(grows).astype(np.int32)
        self.modes = kind.has_stick_modes
        #: whether a fixed step must resolve them: probes exert no force, and friction modes jump
        self.bears = component.residual is not None and not kind.has_stick_modes
        self.slipping = kind.column(parameters, "slipping") if kind.has_stick_modes else None
        self.before, self.now = np.tile((-inf, 0.0, 0.0), (2, len(self.owners), 1))
        self.free = np.zeros(len(self.owners), np.int32)
        self.new: list[int] = []

    def show(self, entry, ffi) -> None:
        """Fill the compiled functions' entry (``fc_gaps`` of contacts.h)."""
        entry.count, entry.bears, entry.modes = len(self.owners), self.bears, self.modes
        entry.growing, entry.growth = len(self.growing), FLOOR
        observed = dict(zip(("depth", "rate", "acceleration"), self.observed, strict=True))
        own = {n: getattr(self, n) for n in (*WATCHED, *GAP_HISTORY)}
        for name, column in {**observed, **own}.items():
            setattr(entry, name, ffi.cast("double *", column.ctypes.data))
        entry.observables, entry.parameters = (
            z.strides[0] // z.itemsize for z in (self.observed[0], self.touching)
        )
        entry.before, entry.now = (
            ffi.cast("double *", z.ctypes.data) for z in (self.before, self.now)
        )
        entry.free, entry.grows = (
            ffi.cast("int *", z.ctypes.data) for z in (self.free, self.growing)
        )

    # --- steps ----------------------------------------------------------------------------------
    def find(self) -> None:
        """Note which contacts began in the step."""
        self.new = np.flatnonzero(self.free & (self.now[:, 0] > 0)).tolist()

    # --- onsets ---------------------------------------------------------------------------------
    def crossing(self, k: int, h: float) -> tuple[float, float]:
        """Fraction of the step at which contact ``k`` began, and its approach speed, m/s.

        They follow from the end of the step if the contact has only just begun, else from the
        motion at the start of the step. The mean speed is used where that motion tells nothing (a
        ball that leaves the centre), and for changes between sticking and slipping, because either
        mode lasts for the whole step. A contact that is closed at the start of a run begins there.
        """
        depth, rate, acceleration = map(float, self.before[k])
        end, end_rate, _ = map(float, self.now[k])
        if depth > 0:
            return 0.0, rate
        if 0 < end <= 2 * self.instant * end_rate:
            fraction, speed = 1 - end / (end_rate * h), end_rate
        elif not self.modes and _steady(depth, rate, acceleration, h):
            speed = _speed(depth, rate, acceleration)
            fraction = -2 * depth / ((rate + speed) * h)
        else:
            speed = (end - depth) / h
            fraction = -depth / (end - depth)
        return min(max(fraction, 0.0), 1.0), speed

    def onsets(self, t: float, h: float) -> list[Event]:
        """Contacts that began in the step of ``h`` that ended at ``t``, or changed between sticking
        and slipping, as noted by ``find``. Sets their approach speeds."""
        events = []
        for k in self.new:
            fraction, speed = self.crossing(k, h)
            end, end_rate, _ = self.now[k].tolist()
            if not self.active[k] and end_rate > 0:  # held as it was: the step was made to end here
                fraction, speed = 1 - end / (end_rate * h), end_rate
            self.approach[k] = max(speed, self.floor[k])
            kind = ONSET
            if self.slipping is not None:
                kind, speed = (STICK if self.slipping[k] > 0.5 else SLIP), 0.0
            events.append(Event(float(t - h + fraction * h), self.owners[k], kind, float(speed)))
        return events

    def losses(self, t: float, h: float) -> list[Event]:
        """Contacts that ended in the step of ``h`` that ended at ``t``."""
        events: list[Event] = []
        if self.slipping is not None:
            return events
        for k in np.flatnonzero((self.before[:, 0] > 0) & ~(self.now[:, 0] > 0)):
            (start, rate, _), (end, end_rate, _) = self.before[k].tolist(), self.now[k].tolist()
            fraction, rate = parting(start, rate, end, end_rate, h)
            time = float(t - h + fraction * h)
            events.append(Event(time, self.owners[k], LOSS, max(-rate, 0.0)))
        return events


def _speed(depth: float, rate: float, acceleration: float) -> float:
    """Speed at depth zero of a motion of constant acceleration."""
    return sqrt(max(rate**2 - 2 * acceleration * depth, 0.0))


def _steady(depth: float, rate: float, acceleration: float, h: float) -> bool:
    """Whether the motion at the start of the step holds for all of it."""
    return rate > 0 and abs(acceleration) * h <= 0.5 * rate


def parting(
    start: float, rate: float, end: float, end_rate: float, h: float
) -> tuple[float, float]:
    """Fraction of a step of ``h`` at which a depth passes zero, and its rate there, of the cubic
    through depths (``start`` > 0 >= ``end``) and rates at both ends."""
    mean = end - start
    if not all(map(isfinite, (start, rate, end, end_rate))):
        return 1.0, 0.0
    a, b = h * rate - mean, mean - h * end_rate  # of x (1 - x)

    def depth(x: float) -> float:
        return start + mean * x + x * (1 - x) * (a * (1 - x) + b * x)

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if depth(middle) > 0 else (low, middle)
    x = high
    bent = (1 - 2 * x) * (a * (1 - x) + b * x) + x * (1 - x) * (b - a)
    return x, float((mean + bent) / h)
