"""Constraints on positions at the start of a run, closed to round-off."""

from __future__ import annotations

import logging

import numpy as np

from .._backend import MPI
from ..core.state import State
from ..errors import SingularSystem
from .velocity_constraints import VelocityConstraints

logger = logging.getLogger(__name__)

#: Newton's iterations at most; from violations that a run accepts two or three do
ITERATIONS = 5


def close(constraints: VelocityConstraints) -> float:
    """Move the present coordinates onto the constraints on positions, with the least change by
    mass; returns the largest change. Collective.

    A start that is off by d (directors given with nine digits, a loop of joints that nearly
    closes) would be closed by the first steps of length h instead, with accelerations of the order
    d / h^2. What is closed to round-off is left as it is.
    """
    state, n = constraints.state, constraints.state.local
    if not constraints.any:
        return 0.0
    start, last, before = state.q[:n].copy(), state.q[:n].copy(), np.inf
    for k in range(ITERATIONS + 1):
        open_by, excess = constraints.openness()
        if not excess < 0.5 * before:  # round-off; or a singular pose, that nothing close closes
            _put(state, last)
            break
        before = excess
        last[:] = state.q[:n]
        if excess <= 1 or k == ITERATIONS:
            break
        try:
            _put(state, state.q[:n] - constraints.closing(open_by))
        except SingularSystem:
            break
    moved = np.array(np.max(np.abs(state.q[:n] - start), initial=0.0))
    state.comm.Allreduce(MPI.IN_PLACE, moved, MPI.MAX)
    if moved > 1e-9:
        logger.info("coordinates changed by up to %.3g to close the joints", moved)
    return float(moved)


def _put(state: State, q: np.ndarray) -> None:
    """Go to other coordinates (local)."""
    state.q[: state.local] = q
    state.q_n[:] = state.q  # turned angles count from here
    state.follow()
