"""What a contact that is watched keeps beside its depth: approach speeds, and where they start."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .. import checks
from .._backend import MPI
from ..core.mixins import has_gap
from ..core.problem import Problem

#: parameters of a kind with a ``gap``: approach speed, m/s; 1 while it touches; 0 while it is held
#: as it was; least approach speed, m/s, 0 if it shall be derived; 1 where the approach speed is
#: that of the phase, 0 for that of the first touch
WATCHED = ("approach", "touching", "active", "floor", "by_phase")
#: least approach speed as a part of the speed that the system reaches
FLOOR = 1e-3


def watched(
    floor: float | None = None,
    rule: str = "phase",
    approach: float | None = None,
    touching: bool = False,
) -> dict[str, float]:
    """These numbers at the start of a run; ``approach``: default the least."""
    least = floor or 0.0
    own = least if approach is None else approach, float(touching), 1.0, least, rule == "phase"
    return dict(zip(WATCHED, own, strict=True))


def least_approach(who: str, floor: float | None) -> float | None:
    """A least approach speed as a user gives it, m/s, or ``None``."""
    return None if floor is None else checks.positive(f"{who}: approach_floor", floor)


def typical_speeds(problem: Problem) -> tuple[float, float]:
    """sqrt(g L), the speed to which gravity accelerates over (half of) the system's size L, and the
    largest speed of the start, m/s; collective."""
    size, n = problem.extent, problem.owned
    rates = problem.start[problem.total : problem.total + n]
    speeds = np.abs(rates) * problem.characteristic_length(size) * problem.moving[:n]
    moving = problem.comm.allreduce(float(np.max(speeds, initial=0.0)), MPI.MAX)
    return sqrt(float(np.linalg.norm(problem.gravity)) * size), moving


def time_scale(problem: Problem, span: float) -> float:
    """Time in which a system moves by three times its size at the faster of these speeds, s; a
    run's ``span`` where there is none. Collective."""
    speed = max(typical_speeds(problem))
    return 3 * problem.extent / speed if speed else span


def set_floors(problem: Problem) -> None:
    """Least approach speeds that joints leave to the system, once it is assembled.

    A thousandth of the speed that gravity gives; without gravity of the largest speed of the start,
    which later motions of the contact raise (``fc_gaps_follow`` of contacts.c). Where nothing moves
    and nothing falls, a millionth of the system's size per second stands in: the first motion
    raises it.
    """
    size, (falling, moving) = problem.extent, typical_speeds(problem)
    speed = falling or moving
    parameters_of = problem.parameters(problem.start)  # every run begins with them
    for component, parameters in zip(problem.components, parameters_of, strict=True):
        if "floor" not in component.kind.parameters:
            continue
        floor = component.kind.column(parameters, "floor")
        left = floor == 0
        floor[left] = FLOOR * (speed or 1e-6 * size)
        if has_gap(component.kind):
            approach = component.kind.column(parameters, "approach")
            approach[left] = np.maximum(approach, floor)[left]
