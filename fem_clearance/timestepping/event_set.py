"""The contacts of a system during time stepping: onsets, and how well steps resolve them."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np

from .._backend import MPI
from ..core.mixins import ForeseeableChange, LimitedValidity, UpdatesParameters, has_gap
from ..core.observation import Channels
from ..errors import StepFailed
from .contact_events import ContactEvents
from .events import Event


class Onset(NamedTuple):
    """The contacts that begin within a step, taken together (the same on all ranks)."""

    start: float  # their largest depth at the start of the step, m (negative)
    depth: float  # their largest depth at its end, m
    speed: float  # approach speed of the fastest, m/s


class Resolution(NamedTuple):
    """How well a step resolves the contacts, see ``EventSet.resolution``."""

    mine: float  # of the worst contact of this rank
    largest: float  # of the worst of all ranks
    owner: str  # joint of this rank's worst
    hidden: float  # what round-off hides of it


class EventSet:
    """The contacts of a system: kinds that name their gap's observables in ``gap``.

    Such a kind has the parameters ``gaps.WATCHED``, which are kept here.

    Args:
        channels: of the run.
        instant: time within which an onset counts as located, s.
    """

    def __init__(self, channels: Channels, instant: float = 0.0):
        self.channels, self.instant, state = channels, instant, channels.state
        self.comm = state.comm
        self.alone = self.comm.size == 1
        self._mine, self._largest = np.zeros(1), np.zeros(1)
        self.contacts: list[ContactEvents] = []
        #: kinds whose parameters follow the motion, their parameters and observables
        self.accepting: list[tuple[UpdatesParameters, np.ndarray, dict[str, np.ndarray]]] = []
        self.jumps = False
        for position, k in enumerate(state.problem.observers):
            component, observed = state.components[k], channels.observed[position]
            if has_gap(component.kind):
                self.contacts.append(ContactEvents(channels, position, k, self.instant))
                self.jumps |= component.kind.discontinuous
            if isinstance(component.kind, UpdatesParameters):
                columns = dict(zip(component.observables, observed.T, strict=True))
                self.accepting.append((component.kind, state.parameters[k], columns))
        #: those among them whose parameters hold near the last state only
        self.limited = [(k, p, z) for k, p, z in self.accepting if isinstance(k, LimitedValidity)]
        #: those among them whose law changes at foreseeable times
        self.changing = [
            (k, p, z) for k, p, z in self.accepting if isinstance(k, ForeseeableChange)
        ]
        #: those whose parameters are found anew from each state, and whether any rank has some
        self.describing = [z for z in self.limited if z[0].describes_state]
        self.describes_state = bool(self.describing)
        if not self.alone:
            self.describes_state = self.comm.allreduce(self.describes_state, MPI.LOR)
        self.any = bool(self.contacts)
        self.owners = [owner for each in self.contacts for owner in each.owners]
        #: contacts of this rank that began and that ended in the step just made
        self.began = self.ended = 0
        #: those that ended in the step accepted last, of all ranks
        self.losses: list[Event] = []
        ffi, self._lib = state.problem.module.ffi, state.problem.module.lib
        self.table = ffi.new("fc_gaps[]", len(self.contacts))
        self._ended = ffi.new("int *")
        for entry, each in zip(self.table, self.contacts, strict=True):
            each.show(entry, ffi)
        #: whether an accepted step changes parameters
        self.acts = bool(self.contacts or self.accepting)

    def fits_velocities(self, adaptive: bool) -> bool:
        """Whether velocities are fitted to steps of another length (``StepEngine.fit_velocities``):
        in contacts, and in adaptive steps. Steps that are cut where a law changes grow again by
        factors of 2, each of which would magnify what is not the steady error of velocities."""
        return self.any or (adaptive and not self.changing)

    def observe(self) -> None:
        """Observe the present state, and read the gaps from it."""
        self.channels.observe()
        if not self.any:
            return
        before = self.began
        self.began = self._lib.fc_gaps_read(self.table, len(self.contacts), self._ended)
        self.ended = self._ended[0]
        if before or self.began:
            for each in self.contacts:
                each.find()

    def slow(self) -> dict[str, float]:
        """Joints with contacts that were slower than their least approach speed, so that this
        speed determined their hysteresis, and that speed, m/s; collective."""
        mine = {
            each.owners[k]: float(each.floor[k])
            for each in self.contacts
            if each.hysteretic
            for k in np.flatnonzero(each.slow)
        }
        return {k: x for found in self.comm.allgather(mine) for k, x in sorted(found.items())}

    def closed(self) -> list[str]:
        """Joints with contacts that are closed at the start of the coming step; collective."""
        mine = [
            owner
            for each in self.contacts
            for owner, (depth, *_) in zip(each.owners, each.before, strict=True)
            if depth > 0
        ]
        return sorted({owner for found in self.comm.allgather(mine) for owner in found})

    def remember(self) -> None:
        """The present state is the start of the next step."""
        self._lib.fc_gaps_remember(self.table, len(self.contacts))

    def exceeds_validity(self) -> str:
        """Why the step just made moved further than the parameters of a kind are valid for (its
        ``exceeds_validity``), empty if it did not; collective."""
        why = [k.why_exceeded for k, p, z in self.limited if k.exceeds_validity(p, z)]
        if not self.alone and self.largest(bool(why)):
            why = sum(self.comm.allgather(why), [])
        return why[0] if why else ""

    def time_left(self) -> float:
        """Time until the next foreseeable change of a law, s (``time_to_change`` of its kind);
        collective.

        Raises:
            StepFailed: a kind cannot go on, which it states by a negative time.
        """
        left = [float(np.min(k.time_to_change(p, z), initial=inf)) for k, p, z in self.changing]
        shortest = -self.largest(-min(left, default=inf))
        if shortest < 0:
            why = [k.why_stopped for (k, _, _), x in zip(self.changing, left, strict=True) if x < 0]
            why = why if self.alone else sum(self.comm.allgather(why), [])
            raise StepFailed("; ".join(dict.fromkeys(why)) + ".")
        return shortest

    def late(self) -> float:
        """Time from an unforeseen change of a law (``late`` of its kind) to the end of the step
        just made, s; 0 if there was none; collective."""
        return self.largest(
            max((float(np.max(k.late(p, z), initial=0)) for k, p, z in self.changing), default=0.0)
        )

    def resolution(self, h: float, noise: float, limit: float, pressed: float = 0.0) -> Resolution:
        """How well a step of ``h`` resolves the contacts: h^2/12 |change of acceleration| over the
        speed of the contact times h, for the worst one. For an oscillation this is (omega h)^2/12.

        Args:
            noise: round-off of accelerations, which is subtracted. Where it exceeds ``limit`` by
                itself, a shorter step would not resolve more, and the limit of the contact is
                ``BLURRED`` times what the round-off hides.
            pressed: contacts whose depth changes by less than this fraction are left out, and so
                are those without a force of their own; 0: none are left out.
        """
        found = self._lib.fc_gaps_resolution(
            self.table, len(self.contacts), h, noise, limit, pressed
        )
        owner = self.owners[found.which] if found.which >= 0 else ""
        return Resolution(found.worst, self.largest(found.worst), owner, found.hidden)

    def onset(self, h: float) -> Onset | None:
        """Contacts that began in the step of ``h`` just made, faster than their least approach
        speed; slower ones, and those that were closed at its start, need not be located.
        Collective."""
        self.new, found = [], [-inf] * 3
        for each in self.contacts:
            for k in each.new:
                speed = each.crossing(k, h)[1]
                if speed > each.floor[k] and each.before[k][0] <= 0:
                    self.new.append((each, k))
                    found = [
                        max(z)
                        for z in zip(found, (each.before[k][0], each.now[k][0], speed), strict=True)
                    ]
        if not self.alone:
            found = [self.largest(x) for x in found]
        return None if found[1] <= 0 else Onset(*found)

    def locate(self, h: float, repeat: Callable[[float], bool]) -> tuple[float, bool]:
        """Shorten the adaptive step of ``h`` just made, if a contact begins in it, so that it ends
        within an instant after the onset (regula falsi, Illinois variant).

        Args:
            repeat: repeats the step with another length, new contacts still without force;
                ``False`` if that has no solution.

        Returns:
            The length of the step then, ``h`` if no contact begins, 0 if a trial has no solution;
            and whether it ends at an onset.
        """
        onset = self.onset(h)
        if onset is None:
            return h, False
        allowed = self.instant * onset.speed
        low, high = 0.0, h
        below, above = onset.start - allowed / 2, onset.depth - allowed / 2
        depth, trial, side = onset.depth, h, 0
        for k in range(40):
            if (0 < depth <= allowed and k) or high - low < 1e-12 * h:
                break
            trial = low - below * (high - low) / (above - below)
            trial = min(max(trial, low + 1e-3 * (high - low)), high)
            if not repeat(trial):
                return 0.0, False
            depth = self.deepest_new()
            if depth - allowed / 2 > 0:
                high, above = trial, depth - allowed / 2
                below, side = below / 2 if side > 0 else below, 1
            else:
                low, below = trial, depth - allowed / 2
                above, side = above / 2 if side < 0 else above, -1
        if depth <= 0:  # round-off of the depth exceeds the tolerance: end just after the onset
            trial = high
            if not repeat(trial):
                return 0.0, False
        return trial, True

    def deepest_new(self) -> float:
        """Largest depth of the contacts that ``onset`` found, in the step just made; collective."""
        return self.largest(max((each.now[k][0] for each, k in self.new), default=-inf))

    def predict_approach(self, h: float) -> None:
        """Set the approach speeds of contacts that may begin in the coming step."""
        self._lib.fc_gaps_prepare(self.table, len(self.contacts), h)

    def suspend(self) -> None:
        """Switch off the forces of the contacts that ``onset`` found: the step ends where they
        begin."""
        for each, k in self.new:
            each.active[k] = 0.0

    def suspend_modes(self) -> None:
        """Keep sticking and slipping contacts in their modes for the coming step; a change is
        detected at its end and located. (Otherwise Newton's method might alternate between the
        modes.)"""
        self._lib.fc_gaps_suspend(self.table, len(self.contacts))

    def missed_events(self, h: float) -> list[tuple[ContactEvents, int, float]] | None:
        """New contacts of this rank and their approach speeds, if one of them, on any rank, began
        with a much larger speed than was assumed."""
        if self.alone and not self.began:
            return None
        speeds, surprised = [], False
        for each in self.contacts:
            for k in each.new:
                speed = max(each.crossing(k, h)[1], each.floor[k])
                speeds.append((each, k, speed))
                surprised |= speed > 1.1 * each.approach[k]
        return speeds if self.largest(surprised) else None

    def set_approach(self, speeds: list[tuple[ContactEvents, int, float]]) -> None:
        """Note the approach speeds that ``missed_events`` found."""
        for each, k, speed in speeds:
            each.approach[k] = speed

    def accept(self, t: float, h: float) -> list[Event]:
        """Let the kinds update their parameters after a step of ``h`` that ended at ``t``; returns
        the contacts that began in it, in order of time (``losses``: those that ended).
        Collective."""
        began = [e for each in self.contacts for e in each.onsets(t, h)] if self.began else []
        ended = [e for each in self.contacts for e in each.losses(t, h)] if self.ended else []
        self.losses = ended
        self.track()
        if not self.alone and self.any:
            began, self.losses = (
                sum(each, [])
                for each in zip(*self.comm.allgather((began, self.losses)), strict=True)
            )
        return sorted(began) if began else began

    def track(self) -> None:
        """Let the kinds update their parameters at the state observed last; collective.

        Raises:
            StepFailed: a kind cannot go on.
        """
        self._lib.fc_gaps_follow(self.table, len(self.contacts))
        self.update()

    def prepare(self) -> None:
        """Update the kinds whose forces at the start of a run need it; as ``track``."""
        needing = [z for z in self.accepting if z[0].before_start]
        if self.largest(bool(needing)):
            self.channels.observe()
            self.update(needing)

    def describe(self) -> None:
        """Let the kinds update whose parameters belong to the present state alone; as ``track``."""
        self.observe()
        self.update(self.describing)

    def update(self, accepting: list | None = None, summed: bool = False) -> None:
        """Let the kinds, or some of them, update their parameters in Python; as ``track``.

        Args:
            summed: whether the channels are summed after this anyhow.
        """
        failures: list[Exception] = []
        for kind, parameters, observed in self.accepting if accepting is None else accepting:
            try:
                kind.update(parameters, observed)
            except Exception as failure:  # raised below, because the other ranks wait
                failures.append(failure)
        if self.accepting and not summed:
            self.channels.changed()
        told = [(isinstance(own, StepFailed), str(own)) for own in failures]
        if self.largest(bool(told)) and not self.alone:  # all ranks stop if one fails
            told = sum(self.comm.allgather(told), [])
        for own in failures:
            if not isinstance(own, StepFailed):
                raise own
        for foreseen, why in told:
            if not foreseen:
                raise RuntimeError(
                    f"the update of a law after a step failed on another rank: {why}"
                )
        if told:
            raise StepFailed(told[0][1])

    def largest(self, value: float) -> float:
        """Largest value over the ranks."""
        if self.alone:
            return value
        self._mine[0] = value
        self.comm.Allreduce(self._mine, self._largest, MPI.MAX)
        return self._largest.item()
