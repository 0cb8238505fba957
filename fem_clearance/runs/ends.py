"""What ends a run before its end time: signals, and limits of wall time and of steps."""

from __future__ import annotations

import math
import time
from contextlib import contextmanager

from .. import _signals
from ..errors import Interrupted, LimitReached
from ..model.team import Team
from ..timestepping.stepper import Stepper


class Interrupts:
    """Makes signals end the run after the present steps (0.05 s), a second SIGINT at once."""

    def __init__(self):
        self.reason, self.number = "", None
        self._handled = _signals.handled(self._note)

    def _note(self, number, frame):
        reason = _signals.SIGNALS[number]
        if self.reason and reason == "interrupted":
            raise _signals.Told(reason)
        self.reason, self.number = reason, number

    @contextmanager
    def passed_on(self):
        """A signal after the last step, which has not ended the run, is not lost."""
        try:
            yield
        except KeyboardInterrupt:
            self.number = None
            raise
        finally:
            if self.number is not None:
                _signals.pass_on(self.number)

    def __enter__(self):
        self.reason = _signals.pending
        self._handled.__enter__()
        return self

    def __exit__(self, *error):
        return self._handled.__exit__(*error)


class End:
    """Reasons to end a run early: signals and limits.

    Args:
        stepper: of the run, at its start or restored.
        interrupts: signals that this process receives.
        team: the ranks of the run.
        tic: when the run began, s of ``time.monotonic``.
        max_wall, max_steps: see ``Simulation``; ``None``: no limit.
    """

    def __init__(
        self, stepper: Stepper, interrupts: Interrupts, team: Team, tic: float,
        max_wall: float | None, max_steps: int | None,
    ):  # fmt: skip
        self.stepper, self.interrupts, self.team = stepper, interrupts, team
        self.steps = math.inf if max_steps is None else stepper.steps + max_steps
        self.wall = math.inf if max_wall is None else tic + max_wall
        #: s that passed before the first step: forms are compiled then
        self.early = time.monotonic() - tic

    def left(self) -> float:
        """Steps that may still be taken."""
        return self.steps - self.stepper.steps

    def reached(self) -> BaseException | None:
        """Why the run ends now, or ``None``."""
        t = self.stepper.t
        if reason := self.interrupts.reason or self.team.told():
            return Interrupted(reason)
        if t < self.stepper.t_end and self.stepper.steps >= self.steps:
            return LimitReached(f"max_steps is reached at t = {t:g} s")
        if t < self.stepper.t_end and time.monotonic() > self.wall:
            early = f" ({self.early:.0f} s of it before the first step)" * (self.early >= 1)
            return LimitReached(f"max_wall is reached at t = {t:g} s{early}")
        return None
