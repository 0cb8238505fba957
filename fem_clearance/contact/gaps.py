"""The contacts of one component, watched from step to step.

``loop.c`` holds the same functions compiled; those here are for ``System(loop="python")`` and for
reading.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..core.channels import Channels
    from ..core.system import System

#: a contact this old, s, is taken to begin at the end of the step
NANOSECOND = 1e-9
#: parameters of a kind with a ``gap``: approach speed, m/s; 1 while it touches; 0 while it is held
#: as it was; least approach speed, m/s
WATCHED = ("approach", "touching", "active", "floor")


def watched(floor: float, approach: float | None = None, touching: bool = False) -> dict:
    """These numbers at the start of a run; ``approach``: default the least."""
    own = (floor if approach is None else approach, float(touching), 1.0, floor)
    return dict(zip(WATCHED, own, strict=True))


class Gaps:
    """The contacts of one component on this rank.

    Attributes:
        owners: the joint of each contact.
        observed: present depth, rate and acceleration of all contacts.
        touching, approach, active, floor: parameters of the contacts, where the forms read them.
        before, now: depth, rate and acceleration of each contact at the start of the step and at
            its end.
        free: contacts that were free at the start of the step.
        modes: whether they are changes between sticking and slipping, which may be held;
            ``slipping``: then 1 for those that slip.
        new: numbers of those that began in the step.
    """

    def __init__(self, system: System, channels: Channels, position: int, number: int):
        component, observed = system.components[number], channels.observed[position]
        kind = component.kind
        parameters = channels.state.parameters[number]
        names = list(component.observables)
        self.owners = [component.owners[k] for k in component.owner]
        self.observed = [observed[:, names.index(n)] for n in kind.gap]
        self.approach, self.touching, self.active, self.floor = (
            kind.column(parameters, n) for n in WATCHED
        )
        self.modes = kind.modes
        self.slipping = kind.column(parameters, "slipping") if kind.modes else None
        self.before, self.now = np.tile((-inf, 0.0, 0.0), (2, len(self.owners), 1))
        self.free = np.zeros(len(self.owners), np.int32)
        self.new: list[int] = []

    def show(self, entry, ffi) -> None:
        """Fill the compiled functions' entry (``fc_gaps`` of loop.h)."""
        entry.count = len(self.owners)
        names = "depth", "rate", "acceleration", "touching", "approach", "active", "floor"
        columns = *self.observed, self.touching, self.approach, self.active, self.floor
        for name, column in zip(names, columns, strict=True):
            setattr(entry, name, ffi.cast("double *", column.ctypes.data))
        entry.observables, entry.parameters = (
            z.strides[0] // z.itemsize for z in (self.observed[0], self.touching)
        )
        entry.before, entry.now = (
            ffi.cast("double *", z.ctypes.data) for z in (self.before, self.now)
        )
        entry.free = ffi.cast("int *", self.free.ctypes.data)

    # --- steps, in Python -----------------------------------------------------------------------
    def read(self) -> None:
        """Take the present values from the channels."""
        self.now[:] = np.transpose(self.observed)

    def count_new(self) -> int:
        """How many contacts began in the step."""
        return int(np.sum(self.free & (self.now[:, 0] > 0)))

    def count_ended(self) -> int:
        """How many contacts ended in the step."""
        return int(np.sum((self.free == 0) & ~(self.now[:, 0] > 0)))

    def find(self) -> None:
        """Note which contacts began in the step."""
        self.new = np.flatnonzero(self.free & (self.now[:, 0] > 0)).tolist()

    def remember(self) -> None:
        """The present state is the start of the next step."""
        self.before[:] = self.now
        self.free[:] = self.touching == 0

    def prepare(self, h: float) -> None:
        """Give free contacts that could begin within ``h`` (with a margin for their acceleration)
        the speed at which they would if their motion went on."""
        for k in np.flatnonzero(self.free):
            depth, rate, acceleration = map(float, self.before[k])
            if depth + h * (rate + abs(acceleration) * h) > 0:
                steady = _steady(depth, rate, acceleration, h)
                coming = _speed(depth, rate, acceleration) if steady else rate
                self.approach[k] = max(coming, self.floor[k])

    def follow(self) -> None:
        """After an accepted step: while free, the approach speed follows the motion; contact
        freezes it."""
        for k, (depth, rate, _) in enumerate(self.now):
            if not depth > 0:
                self.approach[k] = max(rate, self.floor[k])
            self.touching[k] = float(depth > 0)
            self.active[k] = 1.0

    def resolution(self, h: float, noise: float) -> float:
        """See ``Watch.resolution``."""
        worst = 0.0
        each = zip(self.before, self.now, self.touching, self.approach, strict=True)
        for (_, _, old), (depth, rate, acceleration), touching, approach in each:
            if depth > 0 or touching:
                change = max(abs(acceleration - old) - noise, 0.0)
                worst = max(worst, h / 12 * change / max(abs(rate), approach))
        return worst

    # --- onsets ---------------------------------------------------------------------------------
    def crossing(self, k: int, h: float) -> tuple[float, float]:
        """Fraction of the step at which contact ``k`` began, and how fast.

        From the end of the step when it has just begun, else from the motion at the start of the
        step, or from the mean speed where that motion says nothing (a ball that leaves the centre).
        What touched at the start of a run already, begins there.
        """
        depth, rate, acceleration = map(float, self.before[k])
        end, end_rate, _ = map(float, self.now[k])
        if depth > 0:
            return 0.0, rate
        if 0 < end <= 2 * NANOSECOND * end_rate:
            fraction, speed = 1 - end / (end_rate * h), end_rate
        elif _steady(depth, rate, acceleration, h):
            speed = _speed(depth, rate, acceleration)
            fraction = -2 * depth / ((rate + speed) * h)
        else:
            speed = (end - depth) / h
            fraction = -depth / (end - depth)
        return min(max(fraction, 0.0), 1.0), speed


def _speed(depth: float, rate: float, acceleration: float) -> float:
    """Speed at depth zero of a motion of constant acceleration."""
    return sqrt(max(rate**2 - 2 * acceleration * depth, 0.0))


def _steady(depth: float, rate: float, acceleration: float, h: float) -> bool:
    """Whether the motion at the start of the step holds for all of it."""
    return rate > 0 and abs(acceleration) * h <= 0.5 * rate
