"""Progress of a run in the log, one line a minute: batch jobs have no progress bar."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from ..timestepping.stepper import Stepper

logger = logging.getLogger(__name__)

#: s of wall time between two lines
EVERY = 60.0


class Heartbeat:
    """Logs every ``EVERY`` seconds the simulated time, the steps since the last line, what limited
    most of them, and the estimated time left.

    Args:
        stepper: of the run.
        clock: wall time, s.
    """

    def __init__(self, stepper: Stepper, clock: Callable[[], float] = time.monotonic):
        self.stepper, self.clock = stepper, clock
        self._note()

    def _note(self) -> None:
        s = self.stepper
        self.wall, self.t, self.steps = self.clock(), s.t, s.steps
        self.counts = s.limits.counts.copy()

    def see(self) -> None:
        """To be called after each accepted step; not collective."""
        wall = self.clock() - self.wall
        if wall < EVERY:
            return
        s = self.stepper
        done, steps = s.t - self.t, s.steps - self.steps
        limit = s.limits.most(s.state, self.counts)
        logger.info(
            "t = %.6g of %g s after %d steps, the last %d of %.2g s each%s; about %s left",
            s.t, s.t_end, s.steps, steps, done / steps, limit and f", limited by {limit}",
            spoken(wall * (s.t_end - s.t) / done), extra={"batch": True},
        )  # fmt: skip
        self._note()


def spoken(seconds: float) -> str:
    """A duration in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours / 24:.0f} days"
