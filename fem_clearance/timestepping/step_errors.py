"""How well the step just made resolves the motion: local errors of coordinates and of contacts."""

from __future__ import annotations

import numpy as np

from .limits import Limits
from .settings import StepSettings
from .step_engine import StepEngine
from .watch import Resolution, Watch

#: fixed steps need not resolve how a contact vibrates under a load that keeps it closed: change of
#: the depth in a step, by the depth, up to which that is so
PRESSED = 1e-2


class StepErrors:
    """Judges steps.

    Args:
        scheme, watch, limits, settings: of the run.

    Attributes:
        limit: the unknown (its number) or the contact that limits the adaptive step judged last, ""
            if another rank knows.
    """

    def __init__(self, scheme: StepEngine, watch: Watch, limits: Limits, settings: StepSettings):
        self.scheme, self.watch, self.limits = scheme, watch, limits
        self.tolerance = settings.tolerance
        self.contact_tolerance = settings.contact_tolerance
        problem = scheme.state.problem
        self.numbers, self.extent = problem.numbers, problem.extent
        #: error of each owned unknown that is as bad as one of the system's size
        self.length = self.extent / problem.characteristic_length(self.extent)
        self.limit: int | str = ""

    @property
    def noise(self) -> float:
        """Round-off of accelerations: of positions, 1e-15 of the system's size, times da/dq and the
        scheme's answer to what is left of constraints."""
        return 1e-15 * self.extent * self.scheme.newton.c.beta * self.scheme.answer

    def largest(self, h: float, onset: bool) -> float:
        """Largest local error of a step in units of its tolerance; collective.

        Args:
            onset: the step ends at an onset: that contact is too young to be judged.
        """
        noise, tolerance = self.noise, self.contact_tolerance
        errors = self.scheme.error(h, noise) / (self.tolerance * self.length)
        worst = int(np.argmax(errors)) if len(errors) else None
        mine = 0.0 if worst is None else float(errors[worst])
        error = self.watch.largest(mine)
        self.limit = int(self.numbers[worst]) if mine == error and worst is not None else ""
        if self.watch.any and not onset:
            found = self.watch.resolution(h, noise, tolerance)
            # it grows as h^2, the controller expects h^3
            mine, largest = ((z / tolerance) ** 1.5 for z in (found.mine, found.largest))
            if largest > error:
                error = largest
                self.limit = f"contact_tolerance of {found.owner}" if mine == largest else ""
            if found.hidden > tolerance:
                self.limits.blurred(found.owner, tolerance, found.hidden)
        return error

    def borne(self, h: float) -> tuple[Resolution, float]:
        """How well a fixed step resolves the contacts, and by what factor of its square it could be
        longer; collective."""
        limit = self.scheme.bearable
        found = self.watch.resolution(h, self.noise, limit, PRESSED)
        return found, min(limit / found.largest, 1e9) if found.largest > 0 else 1e9
