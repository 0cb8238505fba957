"""A warning when a rigid body turns too far in a step."""

from __future__ import annotations

import logging
from math import inf

import numpy as np

from .step_engine import StepEngine

logger = logging.getLogger(__name__)


class RotationLimit:
    """Warns once when the spin of a rigid body times the step passes what the scheme follows well.

    A director that goes straight in a step of angle x is off by x^2/12 of its way: 0.05 rad leaves
    2e-4. Schemes in which directors turn allow more. Looks at the first step and then now and then:
    a look costs as much as a step.

    Args:
        scheme: the integrator at work.
        every: steps from one look to the next.
    """

    def __init__(self, scheme: StepEngine, every: int = 100):
        self.scheme, self.every = scheme, every
        self.limit = 0.5 if scheme.turning else 0.05
        #: step of the next look
        self.due = 0.0 if scheme.bodies.any else inf

    def see(self, steps: int, h: float) -> None:
        """After the accepted step number ``steps``, of length ``h``; collective."""
        if steps < self.due:
            return
        self.due = steps + self.every
        bodies, state, comm = self.scheme.bodies, self.scheme.state, self.scheme.state.comm
        spins = np.linalg.norm(bodies.spins(state.q, state.v), axis=1)
        fastest = int(np.argmax(spins)) if len(spins) else -1
        mine = (float(spins[fastest]), bodies.names[fastest]) if len(spins) else (0.0, "")
        spin, name = max(comm.allgather(mine)) if comm.size > 1 else mine
        if spin * h <= self.limit:
            return
        self.due = inf
        logger.warning(
            "%s turns by %.2g rad a step (%.4g rad/s): %s", name, spin * h, spin, self._advice(spin)
        )

    def _advice(self, spin: float) -> str:
        step = f"a step of {self.limit / spin:.2g} s or less follows it"
        if self.scheme.turning:
            return step + "."
        return f"{step}, or constraints=stabilised, in which directors turn within a step."
