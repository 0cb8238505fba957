"""Derivatives of a run backwards in time, with all outputs at once (discrete adjoint).

Every map of ``tangent.py`` transposed, in reverse order. With bars for derivatives of the outputs
by what a run carries, a step solves J' mu = ybar, from which the bars at its start follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ..runs import progress
from .approach import ACCELERATION, APPROACH, END_DEPTH, FLOOR, PEAK, Follows
from .changes import Restarted, located, time_left
from .gradients import Slope
from .linear_run import Contact, LinearRun
from .maps import StageMap
from .observed import channels, gap
from .outputs import Row
from .projection import Projection
from .record import FORESEEN, STOP
from .sweeps import Sweeps, groups
from .tangent import seeds, seen, times


class Adjoint:
    """Derivatives of the outputs by everything that a run carries, at one instant of it.

    Args:
        run: the recorded run.
        count: of outputs.

    Attributes:
        Z: by its vectors, vectors x unknowns x outputs.
        t, last: by the instant, and by the length of the step before, (outputs,).
        speeds, peaks: by approach speeds and by the largest speeds of the phase, by contact.
        memory: derivatives with respect to the memory of each component, numbers x outputs.
        parameters: by the parameters directly, parameters x outputs.
    """

    def __init__(self, run: LinearRun, count: int):
        self.run, self.count = run, count
        self.Z = np.zeros((run.vectors.count, run.n, count))
        self.t, self.last = np.zeros((2, count))
        self.speeds: dict[Contact, np.ndarray] = defaultdict(lambda: np.zeros(count))
        self.peaks: dict[Contact, np.ndarray] = defaultdict(lambda: np.zeros(count))
        self.parameters = np.zeros((run.columns, count))
        self.memory = [np.zeros((each.count, count)) for each in run.memories]
        #: with respect to the memories before the step that ends here, and to q at its start
        self._before = [np.zeros((each.count, count)) for each in run.memories]
        self._start = np.zeros((run.n, count))
        self._sweeps = Sweeps(run, count) if run.sweeps else None
        #: by coordinates and rates at starts of steps, which turning bodies remember
        self._later: dict[int, np.ndarray] = {}
        self._first = min((i for i, _ in run.steps.own() if run.varies(i)), default=len(run.steps))

    def add(self, slope: Slope, bar: np.ndarray) -> None:
        """An observed number counts by ``bar``, (outputs,)."""
        self.Z[:3] += slope.motion[:, :, None] * bar
        self.parameters += np.outer(slope.parameters, bar)
        for contact, factor in slope.speeds.items():
            self.speeds[contact] = self.speeds[contact] + factor * bar
        self.t = self.t + slope.time * bar
        self.last = self.last + slope.length * bar
        for weights, own in ((slope.memory, self.memory), (slope.before, self._before)):
            for j, weight in weights.items():
                own[j] = own[j] + np.outer(weight, bar)
        if slope.start is not None:
            self._start = self._start + np.outer(slope.start, bar)

    # --- steps ------------------------------------------------------------------------------------
    def advance(self, first: int, end: int) -> int:
        """Back over steps from instant ``end`` on, all to ``first`` if they are plain; where that
        leads to."""
        if self._sweeps and self.run.plain(end - 1):
            moved = self.moving(end - 1)
            done, self.Z, parameters, time = self._sweeps.back(first, end, self.Z, moved)
            self.parameters += parameters
            self.t = self.t + time
            if done:
                self.last = np.zeros(self.count)
                return end - done
        self.step(end - 1)
        return end - 1

    def step(self, i: int) -> None:
        """From the end of a step to its start."""
        run, step = self.run, self.run.steps[i]
        maps = run.maps(i)
        stage = maps.stages[-1]
        if step.restart is not None:
            self._restarted(i)
        if projection := run.after(i):
            self._taken(projection, -self.Z[1], self.moving(i + 1))
        start = np.zeros_like(self.Z)
        self._remembered(i, start)
        run.linearise(i, len(maps.stages) - 1, stage)
        followed = run.followed(i)
        before = {contact: self._followed(i, contact, f) for contact, f in followed.items()}
        left = np.zeros(self.count)
        if run.varies(i):
            left = self._length(i, run.column(i, stage, maps.by_h[0]))
        last = np.zeros(self.count)
        if run.varied(i):
            last = np.einsum("zn,znr->r", run.column(i, stage, maps.by_last[0]), self.Z)
        for k, stage in reversed([*enumerate(maps.stages)]):
            if k + 1 < len(maps.stages):
                run.linearise(i, k, stage)
            self._stage(i, k, stage, start, followed)
        self.Z += start
        if (bar := self._later.pop(i, None)) is not None:
            self.Z[:2] += bar
        self.last = last
        for contact, f in followed.items():
            self._prepared(i, contact, f, before[contact])
        if projection := run.before(i):
            bar = -self.Z[1] - self.Z[run.vectors.rates].sum(axis=0)
            self._taken(projection, bar, self.moving(i))
        if step.kind == FORESEEN:
            self.add(time_left(run, i), left)

    def _restarted(self, i: int) -> None:
        """Back over the restart at the end of a step."""
        restart = self.run.steps[i].restart
        assert restart is not None
        found = Restarted(self.run, restart.trials).adjoint(i, self.Z, self.moving(i + 1))
        self.Z, parameters, time, speeds, memory = found
        self.parameters += parameters
        self.t = self.t + time
        for contact, bar in speeds.items():
            self.speeds[contact] = self.speeds[contact] + bar
        self.memory = [a + b for a, b in zip(self.memory, memory, strict=True)]

    def _remembered(self, i: int, start: np.ndarray) -> None:
        """Go from the memories after a step back to those before it; add derivatives with respect
        to the start of the step to ``start``."""
        found = []
        for u, bar, before in zip(self.run.updates(i), self.memory, self._before, strict=True):
            for row, z in zip(self.Z, u.motion, strict=False):
                row += z.T @ bar
            start[0] += u.start.T @ bar
            self.parameters += u.parameters.T @ bar
            self.t = self.t + u.time @ bar
            self.last = self.last + u.length @ bar
            found.append(u.before.T @ bar + before)
        start[0] += self._start
        self.memory = found
        self._before = [np.zeros_like(z) for z in found]
        self._start = np.zeros_like(self._start)

    def _stage(self, i: int, k: int, stage: StageMap, start: np.ndarray, followed) -> None:
        """Back over a stage; what it says of the start of the step is added to ``start``."""
        run, m = self.run, self.run.vectors.m
        y, w, U = self._end(stage)
        linear, D = run.linear, run.dynamic[:, None]
        held = run.settled(i, k, stage)
        if held is None:
            mu = linear.solve(y, transposed=True)
        else:
            mu, more = held.adjoint(y, w)
            for row, bar in zip((m, m + 1), held.start(more), strict=True):
                U[row] += bar
            self.parameters += held.by_parameters(run.dependences).T @ more
            if self.moving(i):
                self.t = self.t + held.projection.by_time() @ more
        U[m] -= linear.K.T @ mu
        U[m + 1 :] -= linear.C.T @ mu
        self._equations(i, k, mu)
        for contact in followed:
            if run.carries(i, contact):
                self.speeds[contact] = self.speeds[contact] - run.by_speed(i, contact) @ mu
        for j, force in enumerate(run.by_memory(i, k)):
            self.memory[j] = self.memory[j] - force.T @ mu
        if self.moving(i):
            self.t = self.t - run.by_time(i, k) @ mu
        a = self.Z[run.vectors.old]
        U = U * D
        self.Z = np.tensordot(stage.A.T, U[:-1], 1)
        self.Z[2] += a
        self._turn(i, k, U, start)
        if linear.N is not None:
            start[0] -= linear.N.T @ mu

    def _equations(self, i: int, k: int, mu: np.ndarray) -> None:
        """Add the contribution of the equations of a stage, weighted by ``mu``, unknowns x
        outputs."""
        self.parameters -= self.run.by_parameters(i, k).T @ mu

    def _taken(self, projection: Projection, bar: np.ndarray, moved: bool) -> None:
        """Undo a projection of velocities."""
        q, v, parameters, time = projection.adjoint(bar, self.run.dependences, moved)
        self.Z[0] += q
        self.Z[1] += v
        self.parameters += parameters
        self.t = self.t + time

    def moving(self, i: int) -> bool:
        """Whether the instant at which a step starts follows from the motion."""
        return i > self._first

    def _turn(self, i: int, k: int, U: np.ndarray, start: np.ndarray) -> None:
        """What turning directors at the start of a stage followed from."""
        run = self.run
        if run.turned is None or (slopes := run.turned.slopes(i, k)) is None:
            return
        places = run.turned.places
        full = np.zeros((len(U), run.state.total, self.count))
        full[:, : run.n] = U
        bars = np.einsum("rbksl,rbkz->sblz", slopes, full[:, places])
        to = np.zeros((len(bars), run.state.total, self.count))
        to[:, places] = bars
        start[:3] += to[:3, : run.n]
        for back, some in ((1, slice(3, 5)), (2, slice(5, 7))):
            if i >= back:
                self._later[i - back] = self._later.get(i - back, 0.0) + to[some, : run.n]

    def _end(self, stage: StageMap) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Bars of the solution, of w, and of own vectors, q0, v0 and what forces see beside the
        velocities at the start of the stage."""
        vectors, D, m = self.run.vectors, self.run.dynamic[:, None], self.run.vectors.m
        own = self.Z[vectors.own]
        Z = self.Z[:3] + np.tensordot(stage.ends.T, own, 1) * D
        q, v, a = Z[0], Z[1] * D, Z[2] * D
        U = np.zeros((m + 3, self.run.n, self.count))
        U[:m], U[m], U[m + 1] = own, q, v
        return q + stage.gamma * v + stage.beta * a, -v - stage.beta / stage.gamma * a, U

    def _length(self, i: int, by_h: np.ndarray) -> np.ndarray:
        """What the step's length counts, and by that the onset or the time at its end."""
        run, step = self.run, self.run.steps[i]
        bar = np.einsum("zn,znr->r", by_h, self.Z) + self.t + self.last
        if step.kind == STOP:
            self.t = self.t - bar
        elif step.kind != FORESEEN:
            slope, rate = located(run, i, by_h)
            self.add(slope, -bar / rate)
        return bar

    # --- contacts ---------------------------------------------------------------------------------
    def _followed(self, i: int, contact: Contact, f: Follows) -> np.ndarray:
        """Undo the rules after the step; what its start counts for them, sources x outputs."""
        speed, peak = self.speeds.pop(contact, None), self.peaks.pop(contact, None)
        none = np.zeros(self.count)
        speed, peak = (none if z is None else z for z in (speed, peak))
        bars = np.outer(f.approach, speed) + np.outer(f.peak, peak)
        self.speeds[contact], self.peaks[contact] = bars[APPROACH], bars[PEAK]
        self._sources(self.run.steps[i].end, contact, bars[END_DEPTH : END_DEPTH + 2])
        self._floor(contact, bars[FLOOR])
        return bars[: ACCELERATION + 1]

    def _prepared(self, i: int, contact: Contact, f: Follows, before: np.ndarray) -> None:
        """Undo the rules before the step."""
        bars = np.outer(f.used, self.speeds[contact])
        self.speeds[contact] = bars[APPROACH]
        self.peaks[contact] = self.peaks[contact] + bars[PEAK]
        self._floor(contact, bars[FLOOR])
        self._sources(self.run.steps[i].start, contact, before + bars[: ACCELERATION + 1])

    def _floor(self, contact: Contact, bar: np.ndarray) -> None:
        i, k = contact
        floors = np.array([d.floor[i][k] for d in self.run.dependences], float)
        self.parameters += np.outer(floors, bar)

    def _sources(self, array: np.ndarray, contact: Contact, bars: np.ndarray) -> None:
        """Depth, rate and acceleration (in this order) of a contact count by ``bars``."""
        for k, bar in enumerate(bars):
            if bar.any():
                sizes = np.zeros(3)
                sizes[k] = 1.0
                self.add(gap(self.run, array, contact, sizes), bar)

    # --- the start --------------------------------------------------------------------------------
    def start(self) -> np.ndarray:
        """What the parameters count, once the start of the run is reached, parameters x outputs."""
        result = self.parameters.copy()
        for p, dependence in enumerate(self.run.dependences):
            result[p] += np.einsum("zn,znr->r", dependence.start, self.Z)
            for kept, memory in zip(dependence.memory, self.memory, strict=True):
                result[p] += kept @ memory
            for bars, own in (
                (self.speeds, dependence.approach), (self.peaks, dependence.peak)
            ):  # fmt: skip
                for (i, k), bar in bars.items():
                    result[p] += own[i][k] * bar
        return result


def backward(run: LinearRun, rows: Sequence[Row]) -> np.ndarray:
    """Derivatives of the rows, rows x parameters."""
    adjoint = Adjoint(run, len(rows))
    to_start(adjoint, rows)
    return adjoint.start().T


def to_start(adjoint: Adjoint, rows: Sequence[Row]) -> None:
    """Go back over the whole run."""
    run = adjoint.run
    instants = len(run.steps) + 1
    wanted, by_time = seeds(rows, instants), times(rows, instants)
    spans = [*groups(run, seen(wanted, by_time))]

    def look(k: int) -> None:
        """Let what is observed at an instant count."""
        adjoint.t = adjoint.t + by_time[k]
        if wanted[k]:
            for name, slope in channels(run, k, [*wanted[k]], adjoint.moving(k)).items():
                bar = np.zeros(len(rows))
                for r, w in wanted[k][name]:
                    bar[r] += w
                adjoint.add(slope, bar)

    with progress.StepBar(len(run.steps), "derivatives", run.slow) as bar:
        for first, end in reversed(spans):
            look(end)
            while end > first:
                before, end = end, adjoint.advance(first, end)
                bar.update(before - end)
    look(0)
