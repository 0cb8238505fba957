"""How approach speeds follow from the motion of contacts, step by step.

``timestepping`` sets them by rules (contacts.c, contact_events.py) that are repeated here with the
recorded numbers to see what each was: a sum of depth, rate and acceleration at the start of the
step (``before``), of depth and rate at its end (``now``), of the approach speed and the largest
speed of the phase so far, or the least approach speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..timestepping.contact_events import _steady
from .record import Step

#: sources of a speed
DEPTH, RATE, ACCELERATION, END_DEPTH, END_RATE, APPROACH, PEAK, FLOOR = range(8)
#: relative difference within which two speeds are the same
SAME = 1e-9


def unit(place: int, factor: float = 1.0) -> np.ndarray:
    """A sum of one source."""
    row = np.zeros(8)
    row[place] = factor
    return row


@dataclass
class Follows:
    """What the speeds of one contact follow from in a step, as sums of the sources.

    Attributes:
        used: the approach speed that the step used; by sources at its start.
        approach, peak: those after it, by sources with ``APPROACH`` the one used.
        known: whether the rule was found again.
    """

    used: np.ndarray
    approach: np.ndarray
    peak: np.ndarray
    known: bool = True


@dataclass
class Numbers:
    """Parameters of one contact."""

    approach: float
    touching: bool
    active: bool
    floor: float
    by_phase: bool
    peak: float
    direction: float


def follows(
    before: np.ndarray, now: np.ndarray, start: Numbers, end: Numbers, after: Numbers, h: float
) -> Follows | None:
    """What the speeds of a contact follow from; ``None`` where it is free at both ends of the step,
    and no force knows of its speed.

    Args:
        before, now: depth, rate and acceleration at start and end of the step.
        start, end, after: its numbers before the step, in it, and once it was accepted.
    """
    depth, rate, acceleration = map(float, before)
    end_depth, end_rate, _ = map(float, now)
    touches = end_depth > 0
    if not (start.touching or touches):
        return None
    used, known = unit(APPROACH), True
    if not start.touching and end.active:
        used, known = _found(end.approach, start.floor, before, now, h)
    if not touches:
        return Follows(used, unit(END_RATE) if after.approach > after.floor else unit(FLOOR),
                       np.zeros(8), known)  # fmt: skip
    approach, peak = unit(APPROACH), unit(PEAK)
    value, largest = end.approach, end.peak
    if not start.touching:
        if not end.active and end_rate > 0:
            speed, row = end_rate, unit(END_RATE)
        elif not end.active or abs(after.approach - end.approach) > SAME * end.approach:
            row, found = _found(after.approach, after.floor, before, now, h)
            speed, known = after.approach, known and found
        else:
            speed, row = end.approach, unit(APPROACH)
        value, approach = (speed, row) if speed > after.floor else (after.floor, unit(FLOOR))
    direction = 1.0 if end_rate > 0 else -1.0
    if not end.direction:
        largest, peak = value, approach
    elif end.by_phase and direction != end.direction:
        if largest > after.floor:
            value, approach = largest, peak
        else:
            value, approach = after.floor, unit(FLOOR)
        largest, peak = 0.0, np.zeros(8)
    if abs(end_rate) > largest:
        largest, peak = abs(end_rate), unit(END_RATE, direction)
    if end.by_phase and abs(end_rate) > value:
        value, approach = abs(end_rate), unit(END_RATE, direction)
    known = known and abs(value - after.approach) <= 1e-6 * abs(after.approach)
    return Follows(used, approach, peak, known)


def _found(
    speed: float, floor: float, before: np.ndarray, now: np.ndarray, h: float
) -> tuple[np.ndarray, bool]:
    """Which of the rules for contacts that begin has given a speed."""
    depth, rate, acceleration = map(float, before)
    end_depth, end_rate, _ = map(float, now)
    if _same(speed, floor):
        return unit(FLOOR), True
    square = rate**2 - 2 * acceleration * depth
    if _steady(depth, rate, acceleration, h) and square > 0 and _same(speed, sqrt(square)):
        row = np.zeros(8)
        row[:3] = np.array([-acceleration, rate, -depth]) / sqrt(square)
        return row, True
    for value, row in (
        (rate, unit(RATE)), (end_rate, unit(END_RATE)),
        ((end_depth - depth) / h, unit(END_DEPTH, 1 / h) - unit(DEPTH, 1 / h)),
    ):  # fmt: skip
        if _same(speed, value):
            return row, True
    return unit(APPROACH, 0.0), False


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= SAME * abs(a)


@dataclass
class Contacts:
    """The contacts of one component that is watched.

    Attributes:
        place: among those watched; ``component``: its number.
        columns: where its numbers lie in the state array, by name, (cells,).
        owners: the joint of each.
        modes: whether these are changes between sticking and slipping, which have no approach
            speeds.
    """

    place: int
    component: int
    columns: dict[str, np.ndarray]
    owners: list[str]
    modes: bool = False

    def numbers(self, array: np.ndarray, k: int) -> Numbers:
        """Those of one contact in a state array."""
        names = ("approach", "touching", "active", "floor", "by_phase", "peak", "direction")
        approach, touching, active, floor, by_phase, peak, direction = (
            float(array[self.columns[n][k]]) for n in names
        )
        return Numbers(approach, touching > 0, active > 0, floor, by_phase > 0, peak, direction)

    def followed(self, step: Step) -> dict[int, Follows]:
        """What the speeds follow from, of the contacts that touch in a step."""
        before, now = step.before[self.place], step.now[self.place]
        found: dict[int, Follows] = {}
        if self.modes:
            return found
        touching = step.start[self.columns["touching"]] > 0
        for k in np.flatnonzero(touching | (now[:, 0] > 0)).tolist():
            each = follows(
                before[k], now[k], self.numbers(step.start, k), self.numbers(step.end, k),
                self.numbers(step.after, k), step.h,
            )  # fmt: skip
            if each is not None:
                found[k] = each
        return found
