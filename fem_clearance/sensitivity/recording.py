"""A run whose every accepted step is kept, for derivatives of it.

Steps are the same, bit for bit, however many a call of ``march.c`` takes (docs/design.md); it keeps
the state at the end of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ..core.compiled.shared import fill, pointer
from ..core.mixins import UpdatesParameters, has_gap
from ..core.state import State
from ..timestepping.row_engine import RowEngine
from ..timestepping.step_engine import StepEngine
from ..timestepping.stepper import Stepper
from .record import FIXED, FORESEEN, LOCATED, PASSED, STOP, Block, Record, Restart, Step
from .storage import ROOM, Storage


class RecordingStepper(Stepper):
    """A stepper that keeps its steps.

    Attributes:
        record: of the steps so far.
        begin: the state array once the run has started.
        trials: the trial steps of the start, see ``StepEngine.trials``.
        stops: times that steps must end at, s.
        first: the first step, s, where another run says it; ``None``: as in every run.
        look: looks at the stepper once it is prepared, before it starts.
        folder: where states are kept, see ``Storage``.
    """

    record: Record
    begin: np.ndarray
    trials: list[tuple[float, np.ndarray]]
    stops: tuple[float, ...] = ()
    first: float | None = None
    look: Callable[[RecordingStepper], None] | None = None
    folder: str | Path | None = None

    def prepare(self) -> None:
        """As in every run."""
        super().prepare()
        self.scheme.keeps_trials = True
        if self.first is not None:
            self.dt = self.control.h = self.first
            self.milestones.dt = self.first
        if self.look is not None:
            self.look(self)

    def start(self) -> None:
        """As in every run."""
        super().start()
        self._storage = Storage(self.folder)
        self.record, self.begin = Record(), self.state.array.copy()
        self.trials = [*self.scheme.trials]
        self.scheme.left = 1.0
        if self.adaptive and self.stops:
            milestones = self.milestones
            milestones.stops = sorted({*milestones.stops, *self.stops})
        scheme, march = self.scheme, self.march
        assert isinstance(scheme, RowEngine)
        #: whether channels change when a step is accepted, because a kind updates its memory
        self._remembers = any(kind.remembers for kind, _, _ in self.event_set.accepting)
        self._middles = np.zeros((scheme.substeps - 1, len(self.state.array)))
        if scheme.substeps > 1:
            scheme.compiled.middles = pointer(self.state.problem.module.ffi, self._middles)
        march.possible = march.possible and not self.milestones.stops
        # what holds velocities, and how bodies turn, is kept of steps of their own
        march.possible = march.possible and not special(self.scheme)
        march.watch(None)
        contacts = self.event_set.contacts
        self._touching = columns(self.state, "touching")
        self._changed_numbers = changing(self.state)
        self._stride = len(self.state.array) + 2 * len(self._changed_numbers)
        self._stride += sum(2 * each.now.size for each in contacts)
        self._room = np.zeros((0, self._stride))
        if march.possible:
            march.c.kept, march.c.changing = self._stride, len(self._changed_numbers)
            module = self.state.problem.module
            self._shown = fill(module.ffi, march.c, {"changed": self._changed_numbers})

    def run(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All steps: times and channels of some in turn, (steps,) and steps x channels."""
        while self.t < self.t_end:
            self._taken, self._h, before = False, self.scheme.h_old, self.steps
            self._late = False
            self._make_room()
            self.advance(len(self._room) or 1)
            taken = self._collect()
            if taken:
                rows = self.march.rows
                yield rows[:, 0].copy(), rows[:, 1 : 1 + len(self.channels.names)].copy()
            if self.steps - before > taken:
                yield self._complete()

    def touching(self, array: np.ndarray) -> np.ndarray:
        """Whether each contact touches at a state array."""
        return array[self._touching] > 0

    def _complete(self) -> tuple[np.ndarray, np.ndarray]:
        """What is known of a step of its own once it was made."""
        step = self.record[-1]
        step.agreed = self.scheme.left == 0.0
        self.scheme.left = 1.0
        if step.kind == FIXED and (self._hit(self.t) if self.adaptive else self._back(step.h)):
            step.kind = STOP
        step.after = self._storage.copy(self.state.array)
        values = self.channels.values if self._remembers else self.channels.read()
        return np.array([self.t]), values[None].copy()

    # --- steps of the compiled function -----------------------------------------------------------
    def _make_room(self) -> None:
        """Where it keeps the states of its next steps."""
        if not self.march.possible:
            return
        if not len(self._room):
            rows = max(1, int(ROOM / self._stride))
            self._room = self._storage.take(rows * self._stride).reshape(rows, self._stride)
        self.march.c.states = pointer(self.state.problem.module.ffi, self._room)

    def _collect(self) -> int:
        """Keep the steps of the last call, once; their number."""
        done = self.march.done
        if not done or self._taken:
            return done
        self._taken, rows, h = True, self._room[:done], self._h  # all are as long as the one before
        assert h is not None
        self._room = self._room[done:]
        before = self.record[-1].after if self.record else self.begin
        sizes = [each.now.size for each in self.event_set.contacts]
        self.record.extend(Block(rows, h, before, sizes, self._changed_numbers, self._touching))
        return done

    def _taken_off(self) -> np.ndarray:
        """What the stages of the step just made took off velocities."""
        scheme = self.scheme
        if scheme.stabiliser is None or not scheme.velocities.any:
            return np.zeros((0, self.state.local))
        assert isinstance(scheme, RowEngine)
        lengths = np.array([stage.length for stage in scheme.stages])
        return scheme.stabiliser.taken * lengths[:, None] ** 2 * scheme.dynamic

    def _hit(self, t: float) -> bool:
        """Whether a step had to end then."""
        return t == self.t_end or t in self.milestones.stops

    def _back(self, h: float) -> bool:
        """Whether a step of ``h`` led back to the grid of fixed steps."""
        grid = self.milestones
        return abs(h - self.dt) > 1e-6 * self.dt and abs(self.t - grid.goal) < grid.near

    def _reject(self) -> bool:
        self._late |= self.passed > 0
        return super()._reject()

    def _changed(self, h: float) -> None:
        super()._changed(h)
        step = self.record[-1]
        if step.kind == FIXED:
            step.kind = PASSED if self._late else FORESEEN

    def _restart(self, h: float, anew: bool = False) -> None:
        begin = self.state.array.copy()
        super()._restart(h, anew)
        if anew or self.event_set.jumps:
            self.record[-1].restart = Restart(begin, self.scheme.trials)

    def _accept(self, h: float) -> None:
        self._collect()
        scheme, events = self.scheme, self.event_set
        contacts = events.contacts
        assert isinstance(scheme, RowEngine)
        onset = None
        if self.located:
            located = [(each.now[k][0], contacts.index(each), k) for each, k in events.new]
            onset = max(located)[1:]
        array, *vectors = scheme.start_of_step
        old, own = (z.copy() for z in vectors)
        last = self.record[-1].after if self.record else self.begin
        array = last if np.array_equal(array, last) else self._storage.copy(array)
        end = self._storage.copy(self.state.array)
        now = [each.now.copy() for each in contacts]
        apart = not (array[self._touching] > 0).any() and not any((z[:, 0] > 0).any() for z in now)
        self.record.append(Step(
            h, scheme.saved_numbers[0], array, own, old, end, scheme.left,
            FIXED if onset is None else LOCATED, onset, [each.before.copy() for each in contacts],
            now, apart, end.__array_interface__["data"][0], self._taken_off(),
            scheme.saved_numbers[1], self._middles.copy(),
        ))  # fmt: skip
        scheme.left = 1.0
        super()._accept(h)


def changing(state: State) -> np.ndarray:
    """Places in the state array of the numbers that accepted steps may change: those of contacts,
    and of kinds that update theirs."""
    problem, found = state.problem, [np.zeros(0, np.int32)]
    for k in problem.observers:
        c = state.components[k]
        if has_gap(c.kind) or isinstance(c.kind, UpdatesParameters):
            found.append(problem.offsets[k] + np.arange(c.kind.width * c.count, dtype=np.int32))
    return np.sort(np.concatenate(found))


def columns(state: State, name: str) -> np.ndarray:
    """Where a number of the contacts lies in the state array, of all components that are
    watched."""
    problem, found = state.problem, [np.zeros(0, int)]
    for k in problem.observers:
        c = state.components[k]
        if has_gap(c.kind):
            at = problem.offsets[k] + c.kind.columns(name).start
            found.append(at + c.kind.width * np.arange(c.count))
    return np.concatenate(found)


def special(scheme: StepEngine) -> bool:
    """Whether steps have several stages, hold constraints on velocities too, or turn directors
    within a step."""
    held = scheme.stabiliser is not None and scheme.velocities.any
    return held or scheme.turning is not None or scheme.substeps > 1
