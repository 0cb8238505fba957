"""Constraints on positions at the start of a run, closed to round-off."""

from __future__ import annotations

import logging

import numpy as np

from .._backend import MPI
from .velocities import VelocityConstraints

logger = logging.getLogger(__name__)

#: Newton's iterations at most; from violations that a run accepts two or three do
ITERATIONS = 5


def close(constraints: VelocityConstraints) -> float:
    """Move the present coordinates onto the constraints on positions, with the least change by
    mass; returns the largest change. Collective.

    A start that is off by d (directors given with nine digits, a loop of joints that nearly
    closes) would be closed by the first steps of length h instead, with accelerations of the order
    d / h^2. What is closed to round-off is left as it is.

    Raises:
        SingularSystem: constraints that depend on each other.
    """
    state, n = constraints.state, constraints.state.local
    if not constraints.any:
        return 0.0
    start, before = state.q[:n].copy(), np.inf
    for _ in range(ITERATIONS):
        state.q_n[:] = state.q  # turned angles count from here
        open_by, excess = constraints.openness()
        if not (excess > 1 and excess < 0.5 * before):
            break
        before = excess
        state.q[:n] -= constraints.closing(open_by)
        state.follow()
    moved = np.array(np.max(np.abs(state.q[:n] - start), initial=0.0))
    state.comm.Allreduce(MPI.IN_PLACE, moved, MPI.MAX)
    if moved > 1e-9:
        logger.info("coordinates changed by up to %.3g to close the joints", moved)
    return float(moved)
