"""A run whose every accepted step is kept, for derivatives of it.

Steps are the same, bit for bit, however many a call of ``march.c`` takes (docs/design.md); it keeps
the state at the end of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..core.compiled.shared import pointer
from ..timestepping.march import MOST
from ..timestepping.row_engine import RowEngine
from ..timestepping.stepper import Stepper

#: how the length of a step follows from the motion: not at all, from an onset at its end, from the
#: time that it must hit
FIXED, LOCATED, STOP = "fixed", "located", "stop"
#: numbers that one call of the compiled function may keep
ROOM = 4e6


@dataclass
class Step:
    """An accepted step.

    Attributes:
        h, h_old: its length and that of the one before, s; ``None`` where it starts anew.
        start: the state array at its start; ``own``, ``old``: the vectors of the integrator's own
            and the accelerations before, there; empty where its length and that of the step before
            follow from nothing.
        end: the state array at convergence, with the parameters that the step used.
        after: the state array once the step has been accepted.
        left: part of what velocities left of constraints that they still had at ``start``;
            ``agreed``: whether they were put on the constraints once it was accepted.
        kind: how its length follows from the motion.
        onset: the contact (place of its component among those watched, cell) whose onset it ends
            at.
        before, now: of each component watched depth, rate and acceleration of its contacts at
            start and end.
    """

    h: float
    h_old: float | None
    start: np.ndarray
    own: np.ndarray
    old: np.ndarray
    end: np.ndarray
    left: float
    kind: str
    onset: tuple[int, int] | None
    before: list[np.ndarray]
    now: list[np.ndarray]
    agreed: bool = False
    after: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def address(self) -> int:
        """Where ``end`` lies in memory."""
        return self.end.__array_interface__["data"][0]


class RecordingStepper(Stepper):
    """A stepper that keeps its steps.

    Attributes:
        record: of the steps so far.
        begin: the state array once the run has started.
        stops: times that steps must end at, s.
        first: the first step, s, where another run says it; ``None``: as in every run.
        look: looks at the stepper once it is prepared, before it starts.
    """

    record: list[Step]
    begin: np.ndarray
    stops: tuple[float, ...] = ()
    first: float | None = None
    look: Callable[[RecordingStepper], None] | None = None

    def prepare(self) -> None:
        """As in every run."""
        super().prepare()
        if self.first is not None:
            self.dt = self.control.h = self.first
            self.milestones.dt = self.first
        if self.look is not None:
            self.look(self)

    def start(self) -> None:
        """As in every run."""
        super().start()
        self.record, self.begin = [], self.state.array.copy()
        self.scheme.left = 1.0
        if self.adaptive and self.stops:
            milestones = self.milestones
            milestones.stops = sorted({*milestones.stops, *self.stops})
        march = self.march
        march.possible = march.possible and not self.milestones.stops
        march.watch(None)
        contacts = self.event_set.contacts
        self._stride = len(self.state.array)
        if self.event_set.acts:
            self._stride = 3 * self._stride + sum(2 * each.now.size for each in contacts)
        self._room = np.zeros((0, self._stride))
        if march.possible:
            march.c.kept = self._stride

    def run(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All steps: times and channels of some in turn, (steps,) and steps x channels."""
        while self.t < self.t_end:
            self._taken, self._h, before = False, self.scheme.h_old, self.steps
            self._make_room()
            self.advance(len(self._room) or 1)
            taken = self._collect()
            if taken:
                rows = self.march.rows
                yield rows[:, 0].copy(), rows[:, 1 : 1 + len(self.channels.names)].copy()
            if self.steps - before > taken:
                yield self._complete()

    def _complete(self) -> tuple[np.ndarray, np.ndarray]:
        """What is known of a step of its own once it was made."""
        step = self.record[-1]
        step.agreed = self.scheme.left == 0.0
        self.scheme.left = 1.0
        if self.adaptive and step.kind == FIXED and self._hit(self.t):
            step.kind = STOP
        step.after = self.state.array.copy()
        return np.array([self.t]), self.channels.read()[None].copy()

    # --- steps of the compiled function -----------------------------------------------------------
    def _make_room(self) -> None:
        """Where it keeps the states of its next steps."""
        if self.march.possible and not len(self._room):
            most = max(1, min(MOST, int(ROOM / self._stride)))
            self._room = np.zeros((most, self._stride))
            self.march.c.states = pointer(self.state.problem.module.ffi, self._room)

    def _collect(self) -> int:
        """Keep the steps of the last call, once; their number."""
        done = self.march.done
        if not done or self._taken:
            return done
        self._taken, rows, h = True, self._room[:done], self._h  # all are as long as the one before
        assert h is not None
        if 2 * done < len(self._room):
            rows = rows.copy()
        else:
            self._room = self._room[:0]
        count, contacts = len(self.state.array), self.event_set.contacts
        sizes = [each.now.size for each in contacts for _ in range(2)]
        ends = np.cumsum([3 * count, *sizes])
        last = self.record[-1].after if self.record else self.begin
        none = np.zeros(0)
        for row in rows:
            parts = [
                row[a:b].reshape(-1, 3) for a, b in zip(ends[:-1], ends[1:], strict=True)
            ]
            end = row[:count]
            start, after = last, end
            if self.event_set.acts:
                _, after, start = row[: 3 * count].reshape(3, count)
            self.record.append(
                Step(h, h, start, none, none, end, 1.0, FIXED, None, parts[::2], parts[1::2],
                     False, after)
            )  # fmt: skip
            last = after
        return done

    def _hit(self, t: float) -> bool:
        """Whether a step had to end then."""
        return t == self.t_end or t in self.milestones.stops

    def _accept(self, h: float) -> None:
        self._collect()
        scheme, events = self.scheme, self.event_set
        contacts = events.contacts
        assert isinstance(scheme, RowEngine)
        onset = None
        if self.located:
            located = [(each.now[k][0], contacts.index(each), k) for each, k in events.new]
            onset = max(located)[1:]
        array, old, own = (z.copy() for z in scheme.start_of_step)
        if self.record and np.array_equal(array, self.record[-1].after):
            array = self.record[-1].after
        self.record.append(Step(
            h, scheme.saved_numbers[0], array, own, old, self.state.array.copy(), scheme.left,
            FIXED if onset is None else LOCATED, onset, [each.before.copy() for each in contacts],
            [each.now.copy() for each in contacts],
        ))  # fmt: skip
        scheme.left = 1.0
        super()._accept(h)
