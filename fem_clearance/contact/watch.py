"""What time stepping watches of contacts: onsets, and how well their motion is resolved."""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._backend import MPI
from ..component import Kind

if TYPE_CHECKING:
    from ..channels import Channels
    from ..system import System

#: a contact this old, s, is taken to begin at the end of the step
NANOSECOND = 1e-9


class Event(NamedTuple):
    """The beginning of a contact."""

    owner: str
    time: float  # s
    speed: float  # approach speed, m/s


class Onset(NamedTuple):
    """Contacts that begin within a step (the same on all ranks)."""

    start: float  # their largest depth at the start of the step, m (negative)
    depth: float  # their largest depth at its end, m
    speed: float  # approach speed of the fastest, m/s


class Gaps:
    """The contacts of one component on this rank.

    They are plain numbers, one contact after the other: a system has few contacts, and a call of
    numpy takes as long as this for ten of them.
    """

    def __init__(self, system: System, channels: Channels, position: int, number: int):
        component, observed = system.components[number], channels.observed[position]
        kind: Any = component.kind
        parameters, sizes = channels.state.parameters[number], kind.parameters
        names = list(component.observables)
        self.owners = [component.owners[k] for k in component.owner]
        self._gap = [memoryview(observed[:, names.index(n)]) for n in kind.gap]
        #: parameters of the contacts, where the forms read them
        self.touching, self.approach, self.active, self.floor = (
            _numbers(parameters[:, Kind.columns(sizes, n).start])
            for n in ("touching", "approach", "active", "floor")
        )
        #: depth, rate and acceleration of each contact at the start of the step and at its end
        self.before = self.now = [(-inf, 0.0, 0.0)] * len(self.owners)
        #: contacts that were free at the start of the step, and those of them that began in it
        self.free: list[int] = []
        self.new: list[int] = []

    def read(self) -> None:
        """Take the present values from the channels."""
        self.now = now = list(zip(*self._gap, strict=True))
        self.new = [k for k in self.free if now[k][0] > 0]

    def remember(self) -> None:
        """The present state is the start of the next step."""
        self.before = self.now
        self.free = [k for k, touching in enumerate(self.touching) if not touching]

    def prepare(self, h: float) -> None:
        """Give free contacts that could begin within ``h`` (with a margin for their acceleration)
        the speed at which they would if their motion went on."""
        for k in self.free:
            depth, rate, acceleration = self.before[k]
            if depth + h * (rate + abs(acceleration) * h) > 0:
                coming = _speed(*self.before[k]) if _steady(*self.before[k], h) else rate
                self.approach[k] = max(coming, self.floor[k])

    def follow(self) -> None:
        """After an accepted step: while free, the approach speed follows the motion; contact
        freezes it."""
        for k, (depth, rate, _) in enumerate(self.now):
            if not depth > 0:
                self.approach[k] = max(rate, self.floor[k])
            self.touching[k] = float(depth > 0)
            self.active[k] = 1.0

    def crossing(self, k: int, h: float) -> tuple[float, float]:
        """Fraction of the step at which contact ``k`` began, and how fast.

        From the end of the step when it has just begun, else from the motion at the start of the
        step, or from the mean speed where that motion says nothing (a ball that leaves the centre).
        """
        depth, rate, acceleration = self.before[k]
        end, end_rate, _ = self.now[k]
        if 0 < end <= 2 * NANOSECOND * end_rate:
            fraction, speed = 1 - end / (end_rate * h), end_rate
        elif _steady(depth, rate, acceleration, h):
            speed = _speed(depth, rate, acceleration)
            fraction = -2 * depth / ((rate + speed) * h)
        else:
            speed = (end - depth) / h
            fraction = -depth / (end - depth)
        return min(max(fraction, 0.0), 1.0), speed


def _numbers(column: np.ndarray) -> Any:
    """A column of an array as plain floats that can be set (mypy takes memoryviews for bytes)."""
    return memoryview(column)


def _speed(depth: float, rate: float, acceleration: float) -> float:
    """Speed at depth zero of a motion of constant acceleration."""
    return sqrt(max(rate**2 - 2 * acceleration * depth, 0.0))


def _steady(depth: float, rate: float, acceleration: float, h: float) -> bool:
    """Whether the motion at the start of the step holds for all of it."""
    return rate > 0 and abs(acceleration) * h <= 0.5 * rate


class Watch:
    """The contacts of a system: kinds that name their gap's observables in ``gap``.

    ``gap`` names depth (negative while free), its rate and its acceleration; such a kind has the
    parameters ``touching``, ``approach`` (speed, m/s), ``active`` (1; 0 while the onset is looked
    for) and ``floor`` (least approach speed, m/s), which are kept here.
    """

    def __init__(self, system: System, channels: Channels):
        self.comm, self.channels, state = system.comm, channels, channels.state
        self.alone = self.comm.size == 1
        self.gaps: list[Gaps] = []
        #: kinds whose parameters follow the motion, their parameters and observables
        self.followers = []
        self.jumps = False
        for position, k in enumerate(state.observers):
            component, observed = system.components[k], channels.observed[position]
            if getattr(component.kind, "gap", None):
                self.gaps.append(Gaps(system, channels, position, k))
                self.jumps |= getattr(component.kind, "jumps", False)
            if type(component.kind).accept is not Kind.accept:
                columns = dict(zip(component.observables, observed.T, strict=True))
                self.followers.append((component.kind, state.parameters[k], columns))
        self.strayers = [f for f in self.followers if hasattr(f[0], "strays")]
        self.any = bool(self.gaps)
        #: whether an accepted step changes parameters
        self.acts = bool(self.gaps or self.followers)

    def observe(self) -> None:
        """Observe the present state, and read the gaps from it."""
        self.channels.observe()
        for gap in self.gaps:
            gap.read()

    def remember(self) -> None:
        """The present state is the start of the next step."""
        for gap in self.gaps:
            gap.remember()

    def strays(self) -> bool:
        """Whether the step just made moved further than a kind's parameters are good for (kinds say
        so in ``strays``); collective."""
        if not self.strayers:
            return False
        return self.largest(any(k.strays(p, z) for k, p, z in self.strayers)) > 0

    def resolution(self, h: float, noise: float) -> float:
        """Local error of the fastest contact's motion: h^2/12 |change of acceleration| over the
        approach speed times h. For an oscillation this is (omega h)^2 / 12. ``noise``: round-off of
        accelerations, not counted. Collective."""
        worst = 0.0
        for gap in self.gaps:
            each = zip(gap.before, gap.now, gap.touching, gap.approach, strict=True)
            for (_, _, old), (depth, rate, acceleration), touching, approach in each:
                if depth > 0 or touching:
                    change = max(abs(acceleration - old) - noise, 0.0)
                    worst = max(worst, h / 12 * change / max(abs(rate), approach))
        return self.largest(worst)

    def onset(self, h: float) -> Onset | None:
        """Contacts that began in the step of ``h`` just made, faster than their least approach
        speed; slower ones need no location. Collective."""
        self.new, found = [], [-inf] * 3
        for gap in self.gaps:
            for k in gap.new:
                speed = gap.crossing(k, h)[1]
                if speed > gap.floor[k]:
                    self.new.append((gap, k))
                    found = [
                        max(z)
                        for z in zip(found, (gap.before[k][0], gap.now[k][0], speed), strict=True)
                    ]
        if not self.alone:
            found = [self.largest(x) for x in found]
        return None if found[1] <= 0 else Onset(*found)

    def deepest_new(self) -> float:
        """Largest depth of the contacts that ``onset`` found, in the step just made; collective."""
        return self.largest(max((gap.now[k][0] for gap, k in self.new), default=-inf))

    def prepare(self, h: float) -> None:
        """Give contacts that may begin in the coming step the approach speed they will have."""
        for gap in self.gaps:
            gap.prepare(h)

    def hold(self) -> None:
        """Keep the contacts that ``onset`` found without force: the step ends as they begin."""
        for gap, k in self.new:
            gap.active[k] = 0.0

    def surprises(self, h: float) -> list[tuple[Gaps, int, float]] | None:
        """New contacts of this rank and their approach speeds, if one, on any rank, touched much
        faster than it was prepared for."""
        speeds, surprised = [], False
        for gap in self.gaps:
            for k in gap.new:
                speed = max(gap.crossing(k, h)[1], gap.floor[k])
                speeds.append((gap, k, speed))
                surprised |= speed > 1.1 * gap.approach[k]
        return speeds if self.largest(surprised) else None

    def set_approach(self, speeds: list[tuple[Gaps, int, float]]) -> None:
        for gap, k, speed in speeds:
            gap.approach[k] = speed

    def accept(self, t: float, h: float) -> list[Event]:
        """Let the kinds update their parameters after a step of ``h`` that ended at ``t``; returns
        the contacts that began in it, in order of time. Collective."""
        events = []
        for gap in self.gaps:
            for k in gap.new:
                fraction, speed = gap.crossing(k, h)
                gap.approach[k] = max(speed, gap.floor[k])
                events.append(Event(gap.owners[k], t - h + fraction * h, speed))
        self.settle()
        if not self.alone and self.any:
            events = sum(self.comm.allgather(events), [])
        return sorted(events, key=lambda e: e.time) if events else events

    def settle(self) -> None:
        """Let the kinds update their parameters at the state observed last."""
        for gap in self.gaps:
            gap.follow()
        for kind, parameters, observed in self.followers:
            kind.accept(parameters, observed)
        if self.followers:
            self.channels.changed()

    def largest(self, value: float) -> float:
        """Largest value over the ranks."""
        return value if self.alone else self.comm.allreduce(value, MPI.MAX)
