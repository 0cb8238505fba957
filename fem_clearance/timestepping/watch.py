"""What time stepping watches of contacts: onsets, and how well their motion is resolved."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from .._backend import MPI
from ..core.kind import Kind
from ..core.observation import Channels
from ..errors import StepFailed
from .events import Event, losses, onsets
from .gaps import Gaps


class Onset(NamedTuple):
    """Contacts that begin within a step (the same on all ranks)."""

    start: float  # their largest depth at the start of the step, m (negative)
    depth: float  # their largest depth at its end, m
    speed: float  # approach speed of the fastest, m/s


class Resolution(NamedTuple):
    """How well a step resolves the contacts, see ``Watch.resolution``."""

    mine: float  # of the worst contact of this rank
    largest: float  # of the worst of all ranks
    owner: str  # joint of this rank's worst
    hidden: float  # what round-off hides of it


class Watch:
    """The contacts of a system: kinds that name their gap's observables in ``gap``.

    Such a kind has the parameters ``gaps.WATCHED``, which are kept here.

    Args:
        channels: of the run.
        instant: time within which an onset counts as located, s.
    """

    def __init__(self, channels: Channels, instant: float = 0.0):
        self.instant = instant
        self.channels, state = channels, channels.state
        self.comm = state.comm
        self.alone = self.comm.size == 1
        self.gaps: list[Gaps] = []
        #: kinds whose parameters follow the motion, their parameters and observables
        self.accepting: list[tuple[Kind, np.ndarray, dict[str, np.ndarray]]] = []
        self.jumps = False
        for position, k in enumerate(state.problem.observers):
            component, observed = state.components[k], channels.observed[position]
            if component.kind.gap:
                self.gaps.append(Gaps(channels, position, k, self.instant))
                self.jumps |= component.kind.jumps
            if component.kind.overrides("accept"):
                columns = dict(zip(component.observables, observed.T, strict=True))
                self.accepting.append((component.kind, state.parameters[k], columns))
        #: those among them whose parameters hold near the last state only
        self.strayers = [f for f in self.accepting if f[0].overrides("strays")]
        #: those among them whose law changes at foreseeable times
        self.changing = [f for f in self.accepting if f[0].overrides("time_left")]
        self.any = bool(self.gaps)
        self.owners = [owner for gap in self.gaps for owner in gap.owners]
        #: contacts of this rank that began and that ended in the step just made
        self.began = self.ended = 0
        #: those that ended in the step accepted last, of all ranks
        self.losses: list[Event] = []
        ffi, self._lib = state.problem.module.ffi, state.problem.module.lib
        self._table = ffi.new("fc_gaps[]", len(self.gaps))
        self._ended = ffi.new("int *")
        for entry, gap in zip(self._table, self.gaps, strict=True):
            gap.show(entry, ffi)
        self.growing = [gap for gap in self.gaps if len(gap.growing)]
        #: whether an accepted step changes parameters
        self.acts = bool(self.gaps or self.accepting)

    def observe(self) -> None:
        """Observe the present state, and read the gaps from it."""
        self.channels.observe()
        if not self.any:
            return
        before = self.began
        self.began = self._lib.fc_gaps_read(self._table, len(self.gaps), self._ended)
        self.ended = self._ended[0]
        if before or self.began:
            for gap in self.gaps:
                gap.find()

    def slow(self) -> dict[str, float]:
        """Joints whose contacts have been slower than their least approach speed, which then
        measured their hysteresis, and that speed, m/s; collective."""
        mine = {
            gap.owners[k]: float(gap.floor[k])
            for gap in self.gaps
            if gap.hysteretic
            for k in np.flatnonzero(gap.slow)
        }
        return {k: x for found in self.comm.allgather(mine) for k, x in sorted(found.items())}

    def remember(self) -> None:
        """The present state is the start of the next step."""
        self._lib.fc_gaps_remember(self._table, len(self.gaps))

    def strays(self) -> bool:
        """Whether the step just made moved further than a kind's parameters are good for (kinds say
        so in ``strays``); collective."""
        if not self.strayers:
            return False
        return self.largest(any(k.strays(p, z) for k, p, z in self.strayers)) > 0

    def time_left(self) -> float:
        """Time until the next foreseeable change of a law, s (kinds say so in ``time_left``);
        collective.

        Raises:
            StepFailed: a kind says by a negative time that it cannot go on.
        """
        left = [float(np.min(k.time_left(p, z), initial=inf)) for k, p, z in self.changing]
        shortest = -self.largest(-min(left, default=inf))
        if shortest < 0:
            why = [k.stopped for (k, _, _), x in zip(self.changing, left, strict=True) if x < 0]
            why = why if self.alone else sum(self.comm.allgather(why), [])
            raise StepFailed("; ".join(dict.fromkeys(why)) + ".")
        return shortest

    def late(self) -> float:
        """How long before the end of the step just made a law should have changed that was not
        foreseen to (kinds say so in ``late``), s; collective."""
        return self.largest(
            max((float(np.max(k.late(p, z), initial=0)) for k, p, z in self.changing), default=0.0)
        )

    def resolution(self, h: float, noise: float, limit: float, pressed: float = 0.0) -> Resolution:
        """How well a step of ``h`` resolves contacts: h^2/12 |change of acceleration| over the
        speed of the contact times h, of the worst. For an oscillation this is (omega h)^2 / 12.

        Args:
            noise: round-off of accelerations, not counted. Where it would by itself exceed
                ``limit`` a shorter step resolves no more, and ``BLURRED`` times what it hides is
                what the contact is held to.
            pressed: contacts whose depth changes by less than this part of it do not count, nor do
                those without a force of their own; 0: all count.
        """
        found = self._lib.fc_gaps_resolution(self._table, len(self.gaps), h, noise, limit, pressed)
        owner = self.owners[found.which] if found.which >= 0 else ""
        return Resolution(found.worst, self.largest(found.worst), owner, found.hidden)

    def onset(self, h: float) -> Onset | None:
        """Contacts that began in the step of ``h`` just made, faster than their least approach
        speed; slower ones, and those that touched at its start, need no location. Collective."""
        self.new, found = [], [-inf] * 3
        for gap in self.gaps:
            for k in gap.new:
                speed = gap.crossing(k, h)[1]
                if speed > gap.floor[k] and gap.before[k][0] <= 0:
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
        self._lib.fc_gaps_prepare(self._table, len(self.gaps), h)

    def hold(self) -> None:
        """Keep the contacts that ``onset`` found without force: the step ends as they begin."""
        for gap, k in self.new:
            gap.active[k] = 0.0

    def hold_modes(self) -> None:
        """Let what sticks or slips go on so in the coming step, whatever it meets: a change is seen
        at its end and located. (Newton's method may go to and fro between the modes for ever.)"""
        for gap in self.gaps:
            if gap.modes:
                gap.active[:] = 0.0

    def surprises(self, h: float) -> list[tuple[Gaps, int, float]] | None:
        """New contacts of this rank and their approach speeds, if one, on any rank, touched much
        faster than it was prepared for."""
        if self.alone and not self.began:
            return None
        speeds, surprised = [], False
        for gap in self.gaps:
            for k in gap.new:
                speed = max(gap.crossing(k, h)[1], gap.floor[k])
                speeds.append((gap, k, speed))
                surprised |= speed > 1.1 * gap.approach[k]
        return speeds if self.largest(surprised) else None

    def set_approach(self, speeds: list[tuple[Gaps, int, float]]) -> None:
        """Note the approach speeds that ``surprises`` found."""
        for gap, k, speed in speeds:
            gap.approach[k] = speed

    def accept(self, t: float, h: float) -> list[Event]:
        """Let the kinds update their parameters after a step of ``h`` that ended at ``t``; returns
        the contacts that began in it, in order of time (``losses``: those that ended).
        Collective."""
        began = onsets(self.gaps, t, h) if self.began else []
        self.losses = losses(self.gaps, t, h) if self.ended else []
        self.settle()
        if not self.alone and self.any:
            began, self.losses = (
                sum(each, [])
                for each in zip(*self.comm.allgather((began, self.losses)), strict=True)
            )
        return sorted(began) if began else began

    def settle(self) -> None:
        """Let the kinds update their parameters at the state observed last; collective.

        Raises:
            StepFailed: a kind cannot go on.
        """
        self._lib.fc_gaps_follow(self._table, len(self.gaps))
        for gap in self.growing:
            gap.raise_floors()
        failures = []
        for kind, parameters, observed in self.accepting:
            try:
                kind.accept(parameters, observed)
            except StepFailed as failure:
                failures.append(str(failure))
        if self.accepting:
            self.channels.changed()
        if self.largest(bool(failures)) and not self.alone:  # whoever fails, all ranks stop
            failures = sum(self.comm.allgather(failures), [])
        if failures:
            raise StepFailed(failures[0])

    def largest(self, value: float) -> float:
        """Largest value over the ranks."""
        return value if self.alone else self.comm.allreduce(value, MPI.MAX)
