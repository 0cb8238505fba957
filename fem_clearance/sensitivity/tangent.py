"""Derivatives of a run forwards in time, with all parameters at once (tangent-linear)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runs import progress
from .approach import END_DEPTH
from .changes import Restarted, located, time_left
from .gradients import Slope
from .linear_run import Contact, LinearRun
from .maps import StageMap
from .observed import channels, gap, motion, rate
from .outputs import Row
from .record import EVENTS, FORESEEN
from .sweeps import Sweeps, groups

#: part of the system's size
REACH = 0.1


class Tangent:
    """Derivatives of everything that a run carries, at one instant of it.

    Args:
        run: the recorded run.
        sizes: of the parameters.

    Attributes:
        Z: of its vectors, vectors x unknowns x parameters.
        t, last: of the instant, and of the length of the step before, (parameters,).
        speeds, peaks: of approach speeds and of the largest speeds of the phase, by contact.
        memory: derivatives of the memory of each component, numbers x parameters.
        beyond: the first instant at which a hundredth of a parameter moves the system by more than
            ``REACH`` of its size.
    """

    def __init__(self, run: LinearRun, sizes: np.ndarray):
        self.run, self._sizes = run, sizes
        problem = run.state.problem
        self._extent = problem.characteristic_length(problem.extent) * problem.moving[: run.n]
        self._limit = 100 * REACH * problem.extent
        self.beyond: int | None = None
        #: derivatives of coordinates and rates at the starts of the last two steps
        self._past: list[np.ndarray] = []
        self._sweeps = Sweeps(run, run.columns) if run.sweeps else None
        if self._sweeps:
            self._sweeps.watch(self._extent, sizes, self._limit)
        shape = run.vectors.count, run.n, run.columns
        starts = [d.start for d in run.dependences]
        self.Z = np.moveaxis(np.array(starts), 0, -1) if starts else np.zeros(shape)
        self.t, self.last = np.zeros((2, run.columns))
        self.memory = [
            np.array([d.memory[j] for d in run.dependences]).T for j in range(len(run.memories))
        ]
        self._before, self._start = self.memory, self.Z[0]
        self.speeds: dict[Contact, np.ndarray] = {}
        self.peaks: dict[Contact, np.ndarray] = {}
        for each in run.contacts:
            for k in range(len(each.owners)):
                contact = each.place, k
                for found, name in ((self.speeds, "approach"), (self.peaks, "peak")):
                    of = [getattr(d, name)[each.place][k] for d in run.dependences]
                    found[contact] = np.array(of, float)

    # --- what is observed -------------------------------------------------------------------------
    def of(self, slope: Slope) -> np.ndarray:
        """Derivative of an observed number, (parameters,)."""
        result = np.einsum("fn,fnp->p", slope.motion, self.Z[:3]) + slope.parameters
        for contact, factor in slope.speeds.items():
            result = result + factor * self.speeds[contact]
        for weights, kept in ((slope.memory, self.memory), (slope.before, self._before)):
            for j, weight in weights.items():
                result = result + weight @ kept[j]
        if slope.start is not None:
            result = result + slope.start @ self._start
        return result + slope.time * self.t + slope.length * self.last

    # --- steps ------------------------------------------------------------------------------------
    def advance(self, i: int, end: int) -> int:
        """Over steps from ``i`` on, all up to ``end`` if they are plain; where that leads to."""
        if self._sweeps and self.run.plain(i):
            done, self.Z = self._sweeps.forward(i, end, self.Z, self.t)
            if self.beyond is None and self._sweeps.beyond is not None:
                self.beyond = i + 1 + self._sweeps.beyond
            self.last = np.zeros(self.run.columns)
            if done:
                return i + done
        self.step(i)
        drift = np.outer(motion(self.run, i + 1)[0], self.t)  # at a fixed time, not at the instant
        moved = np.abs(self._extent[:, None] * (self.Z[0] - drift)) * self._sizes
        if self.beyond is None and np.max(moved, initial=0.0) > self._limit:
            self.beyond = i + 1
        return i + 1

    def step(self, i: int) -> None:
        """Over a step."""
        run, step = self.run, self.run.steps[i]
        maps = run.maps(i)
        left = self.of(time_left(run, i)) if step.kind == FORESEEN else None
        if projection := run.before(i):
            taken = projection.tangent(self.Z, run.dependences, self.t)
            self.Z[1] -= taken
            self.Z[run.vectors.rates] -= taken
        followed = run.followed(i)
        before = {c: self._sources(f, step.start, c, slice(0, 3)) for c, f in followed.items()}
        for contact, f in followed.items():
            self.speeds[contact] = self._sum(f.used, before[contact], contact)
        start = self.Z
        for k, stage in enumerate(maps.stages):
            self._stage(i, k, stage, start, followed)
        if run.turned is not None:
            self._past = [start[:2], *self._past[:1]]
        if run.varied(i):
            self.Z += run.column(i, maps.stages[0], maps.by_last[0])[:, :, None] * self.last
        self.last = np.zeros(run.columns)
        if run.varies(i):
            self._length(i, run.column(i, maps.stages[0], maps.by_h[0]), left)
        self._follow(i, followed, before)
        self._remember(i, start)
        if projection := run.after(i):
            self.Z[1] -= projection.tangent(self.Z, run.dependences, self.t)
        if step.restart is not None:
            restarted = Restarted(run, step.restart.trials)
            self.Z = restarted.tangent(i, self.Z, self.t, self.speeds, self.memory)

    def _remember(self, i: int, start: np.ndarray) -> None:
        """Derivatives of the memories after a step, at whose start ``Z`` was ``start``."""
        self._before, self._start = self.memory, start[0]
        self.memory = [
            sum(z @ row for z, row in zip(u.motion, self.Z[:3], strict=True))
            + u.start @ start[0] + u.before @ own + u.parameters
            + np.outer(u.time, self.t) + np.outer(u.length, self.last)
            for u, own in zip(self.run.updates(i), self.memory, strict=True)
        ]  # fmt: skip

    def _stage(self, i: int, k: int, stage: StageMap, start: np.ndarray, followed) -> None:
        """Over a stage of a step, at whose start ``Z`` was ``start``."""
        run, linear, m = self.run, self.run.linear, self.run.vectors.m
        U = np.pad(np.tensordot(stage.A, self.Z, 1), ((0, 1), (0, 0), (0, 0)))
        self._turn(i, k, start, U)
        U *= run.dynamic[:, None]
        run.linearise(i, k, stage)
        rhs = linear.K @ U[m] + linear.C @ (U[m + 1] + U[m + 2]) + run.by_parameters(i, k)
        if linear.N is not None:
            rhs += linear.N @ start[0]
        for contact in followed:
            if run.carries(i, contact):
                rhs += np.outer(run.by_speed(i, contact), self.speeds[contact])
        for force, own in zip(run.by_memory(i, k), self.memory, strict=True):
            rhs += force @ own
        if self.t.any():
            rhs += np.outer(run.by_time(i, k), self.t)
        held, a = run.settled(i, k, stage), self.Z[2].copy()
        if held is None:
            self._end(stage, U, linear.solve(-rhs), a)
            return
        others = held.by_parameters(run.dependences)
        if self.t.any():
            others += np.outer(held.projection.by_time(), self.t)
        x, w = held.tangent(-rhs, U[m], U[m + 1], others)
        self._end(stage, U, x, a, w)

    def _turn(self, i: int, k: int, start: np.ndarray, U: np.ndarray) -> None:
        """Add what turning directors do at the start of a stage."""
        run = self.run
        if run.turned is None or (slopes := run.turned.slopes(i, k)) is None:
            return
        places = run.turned.places
        none = np.zeros_like(start[:2])
        sources = np.concatenate([start[:3], *(self._past + [none, none])[:2]])
        full = np.zeros((len(sources), run.state.total, run.columns))
        full[:, : run.n] = sources
        change = np.einsum("rbksl,sblp->rbkp", slopes, full[:, places])
        more = np.zeros((len(U), run.state.total, run.columns))
        more[:, places] = change
        U += more[:, : run.n]

    def _end(
        self, stage: StageMap, U: np.ndarray, y: np.ndarray, a: np.ndarray,
        w: np.ndarray | float = 0.0,
    ) -> None:  # fmt: skip
        """The vectors at the end of the stage, of whose velocities w was taken."""
        vectors, D = self.run.vectors, self.run.dynamic[:, None]
        m = vectors.m
        self.Z = np.zeros_like(self.Z)
        self.Z[0] = U[m] + y
        self.Z[1] = (U[m + 1] + stage.gamma * y - w) * D
        self.Z[2] = stage.beta * (y - w / stage.gamma) * D
        self.Z[vectors.own] = U[:m] + np.tensordot(stage.ends, self.Z[:3] * D, 1)
        self.Z[vectors.old] = a

    def _length(self, i: int, by_h: np.ndarray, left: np.ndarray | None) -> None:
        """What the step's length changes, which follows from the onset or the time at its end, or
        from what was left until a law changes (``left``: its derivatives)."""
        run, step = self.run, self.run.steps[i]
        if left is not None:
            self.last = left
        elif step.kind in EVENTS:
            slope, rate = located(run, i, by_h)
            self.last = -self.of(slope) / rate
        else:
            self.last = -self.t
        self.Z += by_h[:, :, None] * self.last
        self.t = self.t + self.last

    # --- contacts ---------------------------------------------------------------------------------
    def _sources(self, f, array: np.ndarray, contact: Contact, which: slice) -> np.ndarray:
        """Derivatives of those sources of speeds among ``which`` that count, 3 x parameters."""
        result = np.zeros((3, self.run.columns))
        wanted = np.abs([f.used, f.approach, f.peak]).max(axis=0)[which]
        for k in np.flatnonzero(wanted):
            sizes = np.zeros(3)
            sizes[k] = 1.0
            result[k] = self.of(gap(self.run, array, contact, sizes))
        return result

    def _sum(self, row: np.ndarray, before: np.ndarray, contact: Contact, now=None) -> np.ndarray:
        """Derivative of a speed that is a sum of sources."""
        i, k = contact
        floors = np.array([d.floor[i][k] for d in self.run.dependences], float)
        now = np.zeros((2, self.run.columns)) if now is None else now
        own = np.array([self.speeds[contact], self.peaks[contact]])
        return row @ np.vstack([before, now, own, floors])

    def _follow(self, i: int, followed, before) -> None:
        """Approach speeds after the step."""
        step = self.run.steps[i]
        for contact, f in followed.items():
            now = self._sources(f, step.end, contact, slice(END_DEPTH, END_DEPTH + 2))[:2]
            speed, peak = (
                self._sum(row, before[contact], contact, now) for row in (f.approach, f.peak)
            )
            self.speeds[contact], self.peaks[contact] = speed, peak


def seeds(rows: Sequence[Row], instants: int) -> list[dict[str, list[tuple[int, float]]]]:
    """At each instant the channels that count there: row and weight of each."""
    found: list[dict[str, list[tuple[int, float]]]] = [{} for _ in range(instants)]
    for r, row in enumerate(rows):
        for name, (where, weights) in row.channels.items():
            for k, w in zip(where.tolist(), weights.tolist(), strict=True):
                if w:
                    found[k].setdefault(name, []).append((r, w))
    return found


def times(rows: Sequence[Row], instants: int) -> np.ndarray:
    """At each instant the weight of its time in each row, instants x rows."""
    result = np.zeros((instants, len(rows)))
    for r, row in enumerate(rows):
        where, weights = row.times
        np.add.at(result[:, r], where, weights)
    return result


def seen(wanted: list[dict], by_time: np.ndarray) -> set[int]:
    """The instants at which something counts."""
    return {k for k, z in enumerate(wanted) if z} | {*np.flatnonzero(by_time.any(axis=1)).tolist()}


@dataclass(frozen=True)
class Forward:
    """What a run forwards gives.

    Attributes:
        jacobian: derivatives of the rows, rows x parameters.
        histories: of channels at the times of the instants, which stay, instants x parameters.
        beyond: the first instant at which a hundredth of a parameter's size moves the system by
            more than ``REACH`` of its size, s; ``None``: there is none.
    """

    jacobian: np.ndarray
    histories: dict[str, np.ndarray]
    beyond: float | None


def forward(
    run: LinearRun, rows: Sequence[Row], histories: Sequence[str], sizes: np.ndarray
) -> Forward:
    """Derivatives of the rows, and of some channels over time.

    Args:
        sizes: of the parameters.
    """
    instants = len(run.steps) + 1
    wanted, by_time = seeds(rows, instants), times(rows, instants)
    result = np.zeros((len(rows), run.columns))
    over_time = {name: np.zeros((instants, run.columns)) for name in histories}
    tangent = Tangent(run, sizes)
    cut = {*range(instants)} if histories else seen(wanted, by_time)

    def look(k: int) -> None:
        """See what counts at an instant."""
        result[:] += np.outer(by_time[k], tangent.t)
        names = [*dict.fromkeys([*wanted[k], *histories])]
        if not names:
            return
        for name, slope in channels(run, k, names, bool(tangent.t.any())).items():
            change = tangent.of(slope)
            for r, w in wanted[k].get(name, ()):
                result[r] += w * change
            if name in over_time:
                over_time[name][k] = change - rate(run, k, slope) * tangent.t

    look(0)
    with progress.StepBar(len(run.steps), "derivatives", run.slow) as bar:
        for first, end in groups(run, cut):
            while first < end:
                before, first = first, tangent.advance(first, end)
                bar.update(first - before)
            look(end)
    beyond = tangent.beyond
    when = None if beyond is None else float(run.array(beyond)[run.state.problem.globals_at])
    return Forward(result, over_time, when)
