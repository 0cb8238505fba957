"""Consistent initial velocities."""

from __future__ import annotations

import logging

import numpy as np

from .._backend import MPI
from ..integrators.velocities import VelocityConstraints
from .state import State

logger = logging.getLogger(__name__)


def consistent_velocities(
    state: State, velocities: VelocityConstraints, level=logging.DEBUG
) -> float:
    """Change the velocities as little as possible (in kinetic energy) so that constraints hold.

    Drivers that start with a speed set the bodies moving; velocities that already agree stay as
    they are. Returns the largest change of a coordinate's rate.
    """
    surplus, _ = velocities.surplus()
    state.v[: state.local] -= surplus
    numbers = np.array([np.max(np.abs(z), initial=0.0) for z in (surplus, state.v)])
    state.comm.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
    largest, fastest = numbers
    if largest > 1e-9 * max(1.0, fastest):
        logger.log(
            level, "velocities changed by up to %.3g to agree with joints and drivers", largest
        )
    return float(largest)
