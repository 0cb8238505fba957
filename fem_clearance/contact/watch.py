"""What time stepping watches of contacts: onsets, and how well their motion is resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .._backend import MPI
import numpy as np

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
    """The gaps of one component's cells: present values, those at the start of the step, and the
    columns of the cells' parameters that belong to them."""

    def __init__(self, system: System, channels: Channels, position: int, number: int):
        component = system.components[number]
        names = list(component.observables)
        self.channels, self.position = channels, position
        self.owners = [cell.owner for cell in component.cells]
        self.columns = [names.index(n) for n in component.kind.gap]
        self.parameters = system.state.parameters[number]
        self._at = {
            n: Kind.columns(component.kind.parameters, n).start for n in ("touching", "approach", "active", "floor")
        }
        #: depth, rate and acceleration at the start of the step and at its end
        self.before, self.now = np.zeros((2, 3, len(self.owners)))

    def __getitem__(self, name: str) -> np.ndarray:
        """A parameter of all cells (a view)."""
        return self.parameters[:, self._at[name]]

    @property
    def free(self) -> np.ndarray:
        return self["touching"] == 0

    def read(self) -> None:
        """Take the present values from the channels."""
        self.now[:] = self.channels.observed[self.position].T[self.columns]

    def may_touch(self, h: float) -> bool:
        """Whether a free cell could touch within ``h``, with a margin for its acceleration."""
        depth, rate, acceleration = self.before
        return bool(np.any(self.free & (depth + h * (rate + np.abs(acceleration) * h) > 0)))

    def follow(self) -> None:
        """After an accepted step: while free, the approach speed follows the motion; contact
        freezes it."""
        depth, rate, _ = self.now
        touching = depth > 0
        np.copyto(self["approach"], np.maximum(rate, self["floor"]), where=~touching)
        self["touching"][:] = touching
        self["active"][:] = 1.0

    def coming(self, h: float) -> np.ndarray:
        """Speed at which the free cells would touch if their motion went on; else their rate."""
        depth, rate, acceleration = self.before
        return np.where(_steady(self.before, h), _speed(depth, rate, acceleration), rate)

    def crossing(self, h: float) -> tuple[np.ndarray, np.ndarray]:
        """Fraction of the step at which the cells touched, and how fast.

        From the end of the step when contact has just begun, else from the motion at its start, or
        from the mean speed where that motion says nothing (a ball that leaves the centre).
        """
        depth, rate, acceleration = self.before
        end, end_rate, _ = self.now
        with np.errstate(divide="ignore", invalid="ignore"):
            speed = _speed(depth, rate, acceleration)
            steady = np.minimum(-2 * depth / ((rate + speed) * h), 1.0)
            mean = -depth / (end - depth), (end - depth) / h
            young = (end > 0) & (end <= 2 * NANOSECOND * end_rate)
            trusted = _steady(self.before, h)
            fraction = np.where(young, 1 - end / (end_rate * h), np.where(trusted, steady, mean[0]))
            speed = np.where(young, end_rate, np.where(trusted, speed, mean[1]))
        return np.clip(fraction, 0.0, 1.0), speed


def _speed(depth, rate, acceleration):
    """Speed at depth zero of a motion of constant acceleration."""
    return np.sqrt(np.maximum(rate**2 - 2 * acceleration * depth, 0.0))


def _steady(before, h):
    """Whether the motion at the start of the step holds for all of it."""
    _, rate, acceleration = before
    return (rate > 0) & (np.abs(acceleration) * h <= 0.5 * rate)


class Watch:
    """The contacts of a system: kinds that name their gap's observables in ``gap``.

    ``gap`` names depth (negative while free), its rate and its acceleration; such a kind has the
    parameters ``touching``, ``approach`` (speed, m/s), ``active`` (1; 0 while the onset is looked for)
    and ``floor`` (least approach speed, m/s), which are kept here.
    """

    def __init__(self, system: System, channels: Channels):
        self.system, self.state, self.channels = system, system.state, channels
        contacts = [
            (p, k) for p, k in enumerate(self.state.observers) if getattr(system.components[k].kind, "gap", None)
        ]
        self.gaps = [Gaps(system, channels, p, k) for p, k in contacts]
        self.any = bool(self.gaps)
        self.jumps = any(getattr(system.components[k].kind, "jumps", False) for _, k in contacts)
        #: kinds whose parameters follow the motion
        self.followers = [
            (p, k) for p, k in enumerate(self.state.observers)
            if type(system.components[k].kind).accept is not Kind.accept
        ]  # fmt: skip

    def observe(self) -> None:
        """Observe the present state, and read the gaps from it."""
        self.channels.observe()
        for gap in self.gaps:
            gap.read()

    def remember(self) -> None:
        """The present state is the start of the next step."""
        for gap in self.gaps:
            gap.before[:] = gap.now

    def resolution(self, h: float, noise: float) -> float:
        """Local error of the fastest contact's motion: h^2/12 |change of acceleration| over the
        approach speed times h. For an oscillation this is (omega h)^2 / 12. ``noise``: round-off of
        accelerations, not counted. Collective."""
        worst = 0.0
        for gap in self.gaps:
            depth, rate, acceleration = gap.now
            change = np.maximum(np.abs(acceleration - gap.before[2]) - noise, 0.0)
            error = h / 12 * change / np.maximum(np.abs(rate), gap["approach"])
            worst = max(worst, float(np.max(error[(depth > 0) | ~gap.free], initial=0.0)))
        return self.largest(worst)

    def onset(self, h: float) -> Onset | None:
        """Contacts that began in the step of ``h`` just made, faster than their least approach
        speed; slower ones need no location. Collective."""
        self.new, found = [], [-np.inf] * 3
        for gap in self.gaps:
            depth = gap.now[0]
            new = (depth > 0) & gap.free
            if new.any():
                speed = gap.crossing(h)[1]
                new &= speed > gap["floor"]
            self.new.append(new)
            if new.any():
                here = gap.before[0][new].max(), depth[new].max(), speed[new].max()
                found = [max(a, float(b)) for a, b in zip(found, here, strict=True)]
        if self.system.comm.size > 1:
            found = [self.largest(x) for x in found]
        return None if found[1] <= 0 else Onset(*found)

    def deepest_new(self) -> float:
        """Largest depth of the contacts that ``onset`` found, in the step just made; collective."""
        depths = [np.max(gap.now[0][new], initial=-np.inf) for gap, new in zip(self.gaps, self.new, strict=True)]
        return self.largest(float(max(depths)))

    def prepare(self, h: float) -> None:
        """Give contacts that may begin in the coming step the approach speed they will have."""
        for gap in self.gaps:
            if gap.may_touch(h):
                np.copyto(gap["approach"], np.maximum(gap.coming(h), gap["floor"]), where=gap.free)

    def hold(self) -> None:
        """Keep the contacts that ``onset`` found without force for a step: it ends when they begin."""
        for gap, new in zip(self.gaps, self.new, strict=True):
            gap["active"][new] = 0.0

    def surprises(self, h: float) -> list[np.ndarray] | None:
        """Approach speeds of all cells, if one touched much faster than it was prepared for."""
        speeds, surprised = [], False
        for gap in self.gaps:
            new, speed = (gap.now[0] > 0) & gap.free, gap["approach"].copy()
            if new.any():
                np.copyto(speed, np.maximum(gap.crossing(h)[1], gap["floor"]), where=new)
                surprised |= bool(np.any(speed > 1.1 * gap["approach"]))
            speeds.append(speed)
        return speeds if self.largest(surprised) else None

    def set_approach(self, speeds: list[np.ndarray]) -> None:
        for gap, speed in zip(self.gaps, speeds, strict=True):
            gap["approach"][:] = speed

    def accept(self, t: float, h: float) -> list[Event]:
        """Let the kinds update their parameters after a step of ``h`` that ended at ``t``; returns
        the contacts that began in it, in order of time. Collective."""
        events = []
        for gap in self.gaps:
            new = gap.free & (gap.now[0] > 0)
            if new.any():
                fraction, speed = gap.crossing(h)
                gap["approach"][:] = np.where(new, np.maximum(speed, gap["floor"]), gap["approach"])
                events += [
                    Event(gap.owners[k], t - h + float(fraction[k]) * h, float(speed[k])) for k in np.flatnonzero(new)
                ]
            gap.follow()
        for position, k in self.followers:
            component = self.system.components[k]
            observed = dict(zip(component.observables, self.channels.observed[position].T, strict=True))
            component.kind.accept(self.state.parameters[k], observed)
        if self.system.comm.size > 1 and self.any:
            events = sum(self.system.comm.allgather(events), [])
        return sorted(events, key=lambda e: e.time)

    def largest(self, value: float) -> float:
        """Largest value over the ranks."""
        return self.system.comm.allreduce(value, MPI.MAX) if self.system.comm.size > 1 else value
