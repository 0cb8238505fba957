"""A run whose every accepted step is kept, for derivatives of it.

Steps are taken one at a time: a call of ``march.c`` keeps the end of its last step only. They are
the same, bit for bit, however many a call takes (docs/design.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..timestepping.row_engine import RowEngine
from ..timestepping.stepper import Stepper

#: how the length of a step follows from the motion: not at all, from an onset at its end, from the
#: time that it must hit
FIXED, LOCATED, STOP = "fixed", "located", "stop"


@dataclass
class Step:
    """An accepted step.

    Attributes:
        h, h_old: its length and that of the one before, s; ``None`` where it starts anew.
        start: the state array at its start; ``own``, ``old``: the vectors of the integrator's own
            and the accelerations before, there.
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
        self.march.possible = False
        self.scheme.left = 1.0
        if self.adaptive and self.stops:
            milestones = self.milestones
            milestones.stops = sorted({*milestones.stops, *self.stops})

    def run(self) -> Iterator[Step]:
        """All steps, one after the other."""
        while self.t < self.t_end:
            self.advance()
            step = self.record[-1]
            step.agreed = self.scheme.left == 0.0
            self.scheme.left = 1.0
            if self.adaptive and step.kind == FIXED and self._hit(self.t):
                step.kind = STOP
            step.after = self.state.array.copy()
            yield step

    def _hit(self, t: float) -> bool:
        """Whether a step had to end then."""
        return t == self.t_end or t in self.milestones.stops

    def _accept(self, h: float) -> None:
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
