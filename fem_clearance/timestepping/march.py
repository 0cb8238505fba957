"""Many steps in one compiled call.

``core/compiled/march.c`` takes steps while there is nothing to decide: their length stays that of
the last step, no contact begins or ends, no law changes, and no solution needs a second attempt.
The step at which it stops is completed in Python (``Stepper``). The results are therefore the same
however many steps a call takes.
"""

from __future__ import annotations

from math import inf
from typing import Any, Protocol

import numpy as np

from .._backend import PETSc
from ..core.accounts import SHARES
from ..core.compiled.shared import fill
from ..core.observation import Channels
from ..errors import NoSolution
from .event_set import EventSet
from .limits import limited_by
from .rotations import RotationLimit
from .row_engine import RowEngine
from .snapshot import Stepping
from .steady import Steady
from .step_control import PRESSED, StepErrors

#: what is left to do of a step, as in march.c
NOTHING, TO_SOLVE, TO_JUDGE = range(3)
#: steps of a call at most, and s of wall time after which it begins no other
MOST, BUDGET = 1000, 0.05


class Run(Stepping, Protocol):
    """A run whose steps are taken, see ``Stepper``."""

    channels: Channels
    event_set: EventSet
    errors: StepErrors
    spin: RotationLimit
    adaptive: bool
    t_end: float
    dt: float
    failed: bool
    located: bool
    whole: bool


class March:
    """Takes the steps of a run that need no decision.

    Args:
        stepper: prepared.

    Attributes:
        c: ``fc_march`` of march.h.
        possible: whether any step of this run can be taken so. Not adaptive steps on several ranks,
            of which each knows what limits its own unknowns, not with integrators that have an
            engine of their own, and not where a function of time bends.
        recording: whether rows are kept.
        rows: of each step of the last call the time and the channels.
    """

    def __init__(self, stepper: Run):
        self.stepper, scheme = stepper, stepper.scheme
        self.possible = (
            isinstance(scheme, RowEngine)
            and not (stepper.adaptive and stepper.state.comm.size > 1)
            and not stepper.milestones.stops
        )
        self.recording, self.done, self._code = False, 0, 0
        self.error: BaseException | None = None
        self._table = np.zeros((MOST, len(stepper.channels.sums)))
        self._limited = np.zeros(MOST, np.int32)
        if isinstance(scheme, RowEngine) and self.possible:
            self._share(scheme)

    def _share(self, scheme: RowEngine) -> None:
        """Show the compiled function where everything is."""
        stepper, problem = self.stepper, self.stepper.state.problem
        ffi, lib = problem.module.ffi, problem.module.lib
        events, ledger, work = stepper.event_set, stepper.ledger, stepper.work
        errors, control = stepper.errors, stepper.control
        c: Any = ffi.new("fc_march *")
        self.c, self._run = c, lib.fc_run
        c.step, c.budget = scheme.compiled, BUDGET
        c.adaptive, c.origin, c.dt = stepper.adaptive, stepper.origin, stepper.dt
        for name in ("safety", "grow", "shrink", "min_growth", "max_shrink_kept", "largest",
                     "smallest"):  # fmt: skip
            setattr(c, name, getattr(control, name))
        c.order, c.constant, c.first_order = control.order, scheme.error_constant, scheme.order == 1
        c.noise = errors.round_off
        c.contact_tolerance, c.bearable = errors.contact_tolerance, scheme.bearable
        c.pressed, c.gap, c.gaps = PRESSED, events.table, len(events.contacts)
        c.suspends = stepper.adaptive and events.jumps
        c.python = self._handle = ffi.new_handle(self)
        c.near = stepper.milestones.near
        if events.changing:
            c.foresee = lib.fc_call_foresee
        self.steady = Steady(stepper.channels)
        c.steady, c.steadies = self.steady.table, self.steady.count
        c.unsteady = not self.steady.complete
        if events.limited or (events.changing and c.unsteady):
            c.examine = lib.fc_call_examine
        if events.accepting:
            c.update = lib.fc_call_update
        c.passing, c.passings = ledger.passing, len(ledger.passing)
        c.forces, c.work, c.counted = ledger.table, ledger.forces.table, len(ledger.components)
        c.touches, c.touched = work.table, len(work.contacts)
        c.channels, c.fastest = stepper.channels.compiled, stepper.spin.limit
        judged = {}
        if stepper.adaptive:
            allowed = errors.tolerance * errors.length
            judged = {"allowed": allowed, "rates": errors.rates, "errors": scheme.errors}
        self._keep = fill(ffi, c, judged | {
            "limited": self._limited, "packed": ledger.forces.work, "power": ledger.power,
            "totals": ledger.totals, "base": ledger.base, "offsets": ledger.offsets,
            "shares": SHARES, "moving": problem.moving, "rows": self._table,
            "directors": scheme.bodies.places,
        })  # fmt: skip

    def destroy(self) -> None:
        """Drop the reference to the run, which refers to this object; no step can follow."""
        self.possible, self._handle = False, None
        del self.stepper

    def watch(self, energy: Any) -> None:
        """Record the steps, and let a watch over their energy (``fc_energy`` of channels.h, or
        ``None``) end a call."""
        if self.possible:
            self.recording = self.c.recording = True
            self._energy = energy
            if energy is not None:
                self.c.energy = energy

    @property
    def rows(self) -> np.ndarray:
        """Of each step that the last call recorded the time and the channels; they stay until the
        next call."""
        return self._table[: self.done]

    def foresee(self) -> None:
        """Look when the next law changes; called by the compiled function."""
        self.c.change = self.c.t + self.stepper.event_set.time_left()

    def examine(self) -> None:
        """Look whether a step is too long for what kinds know of it, or should have ended before;
        called by the compiled function."""
        events, c = self.stepper.event_set, self.c
        longer = c.step.h > self.stepper.control.smallest
        c.refused = bool(events.exceeds_validity()) or (longer and events.late() > 0)

    def update(self) -> None:
        """Let kinds update their parameters; called by the compiled function."""
        self.stepper.event_set.update(summed=True)  # by the row, or at the end of the call
        self.steady.renew()

    def ready(self) -> bool:
        """Whether the coming step may need no decision; collective."""
        if not self.possible:
            return False
        return not self.stepper.event_set.largest(not self._ready())

    def _ready(self) -> bool:
        """The same as this rank knows it."""
        stepper = self.stepper
        scheme, control, h = stepper.scheme, stepper.control, stepper.control.h
        return (
            h == scheme.h_old
            and scheme.h_factors is not None
            and not (stepper.after_event or stepper.event_set.began or stepper.failed)
            and (scheme.violated == h or not stepper.event_set.fits_velocities(stepper.adaptive))
            and h > control.smallest * (1 + 1e-9)
            and not stepper.newton.by_hand
        )

    def take(self, most: float, stop: float = inf) -> float | None:
        """Take steps until one needs a decision: the length of that, s, of which ``finish`` and the
        rest are left to do; ``None`` if none is left, and 0 if there was none to take.

        Args:
            most: steps at most.
            stop: time after whose first step no other begins, s.

        Raises:
            StepFailed, PETSc.Error: as of a step.
        """
        self.done = 0
        if not self.ready():
            return 0.0
        if self._go(most, stop) != NOTHING:
            return self.c.step.h
        return None if self.c.done else 0.0

    def _go(self, most: float, stop: float) -> int:
        """The call; what is left to do of a step."""
        stepper, c = self.stepper, self.c
        scheme, newton = stepper.scheme, stepper.newton
        assert isinstance(scheme, RowEngine) and scheme.h_old
        scheme.prepared(scheme.h_old)
        self.steady.renew()
        c.most, c.stop, c.t_end = int(min(most, MOST)), stop, stepper.t_end
        c.bodies = len(stepper.spin.bodies.names) if stepper.spin.due < inf else 0
        c.t, c.grid, c.cautious = scheme.t, stepper.milestones.grid, stepper.control.cautious
        newton.error, newton.code, self.error = None, 0, None
        stepper.channels.compiled.kept = stepper.channels.kept
        code = self._run(newton.c, c)
        self._note(c.left == NOTHING and self.recording)
        self._code = 0
        if code and (self.error or newton.error or c.left != TO_SOLVE):
            raise self.error or newton.error or PETSc.Error(code)
        self._code = code
        return c.left

    def finish(self) -> NoSolution | None:
        """The rest of the solution of the step that is left; as ``StepEngine.step``."""
        if self._code:
            raise PETSc.Error(self._code)
        scheme = self.stepper.scheme
        assert isinstance(scheme, RowEngine)
        return scheme.finish()

    def _note(self, summed: bool) -> None:
        """Update the run for the steps that were taken."""
        stepper, c, step = self.stepper, self.c, self.c.step
        scheme, done, h = stepper.scheme, c.done, step.h
        self.done = done if self.recording else 0
        scheme.h_old, scheme.h_older = step.last, step.older or None
        scheme.saved_numbers = scheme.h_old, scheme.h_older, c.t
        scheme.t = c.t
        if not done:
            return
        stepper.steps += done
        stepper.milestones.grid = c.grid
        stepper.control.cautious = bool(c.cautious)
        scheme.violated, stepper.located, stepper.whole = h, False, True
        stepper.limits.accept_all(self._limits(done))
        events = stepper.event_set
        events.ended, events.losses = 0, []
        stepper.channels.changed()
        if summed:
            stepper.channels.summed()
        if c.fast:
            stepper.spin.due = 0
            stepper.spin.see(stepper.steps, h)

    def _limits(self, done: int) -> dict[int | str, int] | list[int | str]:
        """What limited the steps."""
        stepper = self.stepper
        if not stepper.adaptive:
            return {limited_by(stepper, self.c.step.h): done}
        numbers, owners = stepper.errors.numbers, stepper.event_set.owners
        return [
            int(numbers[k]) if k >= 0 else f"contact_tolerance of {owners[-1 - k]}"
            for k in self._limited[:done].tolist()
        ]
