"""Consistent initial velocities."""

from __future__ import annotations

import logging

import numpy as np

from .integrators.generalized_alpha import Scheme
from .newton import Newton
from .state import State

logger = logging.getLogger(__name__)


def consistent_velocities(
    state: State, newton: Newton, scheme: Scheme, level=logging.DEBUG
) -> float:
    """Change the velocities as little as possible (in kinetic energy) so that constraints hold.

    Drivers that start with a speed set the bodies moving; velocities that already agree stay as
    they are. Returns the largest change of a coordinate's rate.
    """
    constraint = state.algebraic[: state.local]
    if not state.comm.allreduce(bool(np.any(constraint[: state.owned]))):
        return 0.0
    violation = _rate(state) * constraint[: state.owned]
    # inertia alone: the tangent of a step so short that stiffness does not count
    stiffness = np.max(np.abs(state.tangent(0.0, 0.0)), initial=1.0)
    beta = 1e12 * state.comm.allreduce(max(1.0, stiffness), max)
    scheme._scale(beta)
    state.assemble(state.tangent(beta, 0.0))
    change = newton.direct(-violation * state.scale[: state.owned])
    change = state.spread(change * state.dynamic[: state.owned])
    state.v[: state.local] += change
    scheme.h_factors = None
    largest = float(np.max(np.abs(change), initial=0.0))
    largest = state.comm.allreduce(largest, max)
    if largest > 1e-9 * max(1.0, float(np.max(np.abs(state.v), initial=0.0))):
        logger.log(
            level, "velocities changed by up to %.3g to agree with joints and drivers", largest
        )
    return largest


def _rate(state: State) -> np.ndarray:
    """Time derivative of every row for which it is dPhi/dq v + dPhi/dt, owned."""
    tangent = state.tangent(0.0, 0.0)
    motion = np.bincount(state.coo_rows, tangent * state.v[state.coo_cols], state.total)
    step, now = 1e-7, state.globals[0]
    state.globals[0] = now + step
    later = state.residual().copy()
    state.globals[0] = now - step
    drift = (later - state.residual()) / (2 * step)
    state.globals[0] = now
    return state.add_over_ranks(motion + drift)
