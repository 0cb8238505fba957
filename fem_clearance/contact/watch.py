"""What time stepping watches of contacts: onsets, and how well their motion is resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .._backend import MPI
import numpy as np

from ..component import Kind

if TYPE_CHECKING:
    from ..channels import Channels
    from ..system import System


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


class Watch:
    """The contacts of a system: kinds that name their gap's observables in ``gap``.

    ``gap`` names depth (negative while free), its rate and its acceleration; such a kind has the
    parameters ``touching``, ``approach`` and ``floor``.
    """

    def __init__(self, system: System, channels: Channels):
        self.system, self.state, self.channels = system, system.state, channels
        self.watched = []
        for position, k in enumerate(self.state.observers):
            kind = system.components[k].kind
            if getattr(kind, "gap", None):
                names = list(system.components[k].observables)
                columns = [names.index(n) for n in kind.gap]
                parameters = {n: Kind.columns(kind.parameters, n).start for n in ("touching", "approach", "floor")}
                self.watched.append((position, k, columns, parameters))
        self.any = bool(self.watched)
        self.before: list = []
        self.jumps = any(getattr(system.components[k].kind, "jumps", False) for _, k, _, _ in self.watched)

    def _rows(self):
        """Depth, rate, acceleration and parameters of the watched cells of this rank."""
        for position, k, columns, names in self.watched:
            observed = self.channels.observed[position][:, columns].T
            yield k, *observed, self.state.parameters[k], names

    def remember(self) -> None:
        """Note the contacts' state at the start of a step (``channels`` read there)."""
        self.before = [(d.copy(), r.copy(), a.copy()) for _, d, r, a, _, _ in self._rows()]

    def resolution(self, h: float) -> float:
        """Local error of the fastest contact's motion: h^2/12 |change of acceleration| over the
        approach speed times h. For an oscillation this is (omega h)^2 / 12."""
        worst = 0.0
        for (_, _, old), (_, depth, rate, acceleration, p, names) in zip(self.before, self._rows(), strict=True):
            touching = (depth > 0) | (p[:, names["touching"]] > 0)
            speed = np.maximum(np.abs(rate), p[:, names["approach"]])
            error = h / 12 * np.abs(acceleration - old) / speed
            worst = max(worst, float(np.max(error[touching], initial=0.0)))
        return self._largest(worst)

    def onset(self, h: float) -> Onset | None:
        """Contacts that began in the step of ``h`` just made, faster than their least approach
        speed; slower ones need no location. Collective."""
        self.new, found = [], (-np.inf, -np.inf, -np.inf)
        for (d0, r0, a0), (_, depth, _, _, p, names) in zip(self.before, self._rows(), strict=True):
            fraction = np.array([_crossing(*z, h) for z in zip(d0, r0, a0, strict=True)])
            speed = r0 + a0 * fraction * h
            new = (depth > 0) & (p[:, names["touching"]] == 0) & (speed > p[:, names["floor"]])
            self.new.append(new)
            for k in np.flatnonzero(new):
                found = tuple(map(max, found, (d0[k], depth[k], speed[k])))
        found = tuple(self._largest(x) for x in found) if self.system.comm.size > 1 else found
        return None if found[1] <= 0 else Onset(*found)

    def deepest_new(self) -> float:
        """Largest depth of the contacts that ``onset`` found, in the step just made; collective."""
        depths = [float(np.max(row[1][new], initial=-np.inf)) for new, row in zip(self.new, self._rows(), strict=True)]
        return self._largest(max(depths))

    def prepare(self, h: float) -> None:
        """Give contacts that begin in the coming step the approach speed they will have."""
        for (d0, r0, a0), (_, _, _, _, p, names) in zip(self.before, self._rows(), strict=True):
            for k in np.flatnonzero(p[:, names["touching"]] == 0):
                fraction = _crossing(d0[k], r0[k], a0[k], h)
                speed = r0[k] + a0[k] * min(fraction, 1.0) * h
                p[k, names["approach"]] = max(speed, p[k, names["floor"]])

    def accept(self, t: float, h: float) -> list[Event]:
        """Let the kinds update their parameters; the contacts that began in the step, on rank 0 order."""
        events = []
        rows = list(self._rows())
        free = [p[:, names["touching"]] == 0 for _, _, _, _, p, names in rows]
        for position, k in enumerate(self.state.observers):
            component = self.system.components[k]
            observed = dict(zip(component.observables, self.channels.observed[position].T, strict=True))
            component.kind.accept(self.state.parameters[k], observed)
        for was_free, start, (k, depth, _, _, p, names) in zip(free, self.before, rows, strict=True):
            for cell in np.flatnonzero(was_free & (depth > 0)):
                d0, r0, a0 = (z[cell] for z in start)
                fraction = min(_crossing(d0, r0, a0, h), 1.0)
                owner = self.system.components[k].cells[cell].owner
                events.append(Event(owner, t - h + fraction * h, float(p[cell, names["approach"]])))
        if self.system.comm.size > 1 and self.any:
            events = sum(self.system.comm.allgather(events), [])
        return sorted(events, key=lambda e: e.time)

    def _largest(self, value: float) -> float:
        return self.system.comm.allreduce(value, MPI.MAX) if self.system.comm.size > 1 else value


def _crossing(depth: float, rate: float, acceleration: float, h: float) -> float:
    """Fraction of a step after which depth + rate t + acceleration t^2/2 reaches zero (1 if never)."""
    if depth >= 0:
        return 0.0
    root = rate * rate - 2 * acceleration * depth
    if root < 0:
        return 1.0
    below = rate + np.sqrt(root)
    return float(min(1.0, -2 * depth / (below * h))) if below > 0 else 1.0
