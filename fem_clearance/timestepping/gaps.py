"""The contacts of one component, watched from step to step by ``core/compiled/contacts.c``."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from .. import checks
from .._backend import MPI
from ..core.kind import GAP_MEMORY
from ..core.observation import Channels
from ..core.problem import Problem

#: parameters of a kind with a ``gap``: approach speed, m/s; 1 while it touches; 0 while it is held
#: as it was; least approach speed, m/s, 0 if it shall be derived; 1 where the approach speed is
#: that of the phase, 0 for that of the first touch
WATCHED = ("approach", "touching", "active", "floor", "by_phase")
#: where round-off hides what is asked for: how many times what it hides may be left unresolved
BLURRED = 4.0
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
    speeds = np.abs(rates) * problem.reach(size) * problem.dynamic[:n]
    moving = problem.comm.allreduce(float(np.max(speeds, initial=0.0)), MPI.MAX)
    return sqrt(float(np.linalg.norm(problem.gravity)) * size), moving


def time_scale(problem: Problem, span: float) -> float:
    """Time in which a system moves by three times its size at the faster of these speeds, at most a
    run's ``span``, s; collective."""
    speed = max(typical_speeds(problem))
    return min(span, 3 * problem.extent / speed) if speed else span


def set_floors(problem: Problem) -> None:
    """Least approach speeds that joints leave to the system, once it is assembled.

    A thousandth of the speed that gravity gives; without gravity of the largest speed of the start,
    which later motions of the contact raise (``Gaps.raise_floors``). Where nothing moves and
    nothing falls, the system's size a second stands in: whatever moves first raises it.
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
        if component.kind.gap:
            approach = component.kind.column(parameters, "approach")
            approach[left] = np.maximum(approach, floor)[left]


class Gaps:
    """The contacts of one component on this rank.

    Args:
        position, number: of the component, among those that observe and among all.
        instant: a contact this old, s, is taken to begin at the end of the step.

    Attributes:
        owners: the joint of each contact.
        observed: present depth, rate and acceleration of all contacts.
        touching, approach, active, floor, by_phase: parameters of the contacts, where the forms
            read them (see ``WATCHED``).
        peak, direction, entry, slow: what is kept of a contact: the largest size of the rate in
            this phase (compression or restitution), m/s; the sign of the rate, 0 while free; the
            speed at which the contact began, m/s; 1 once the least approach speed was in force.
        growing: contacts whose least approach speed follows the fastest motion so far.
        before, now: depth, rate and acceleration of each contact at the start of the step and at
            its end.
        free: contacts that were free at the start of the step.
        modes: whether they are changes between sticking and slipping, which may be held;
            ``slipping``: then 1 for those that slip.
        new: numbers of those that began in the step.
    """

    def __init__(self, channels: Channels, position: int, number: int, instant: float):
        self.instant, state = instant, channels.state
        component, observed = state.components[number], channels.observed[position]
        kind = component.kind
        parameters = state.parameters[number]
        names = list(component.observables)
        self.owners = [component.owners[k] for k in component.owner]
        self.observed = [observed[:, names.index(n)] for n in kind.gap]
        self.approach, self.touching, self.active, self.floor, self.by_phase = (
            kind.column(parameters, n) for n in WATCHED
        )
        self.peak, self.direction, self.entry, self.slow = (
            kind.column(parameters, n) for n in GAP_MEMORY
        )
        self.hysteretic = kind.hysteretic
        derived = kind.column(component.parameters, "floor") == 0
        self.growing = np.flatnonzero(derived & (not np.any(state.problem.gravity)))
        self.modes = kind.modes
        #: whether a fixed step must resolve them: probes exert no force, and friction's modes jump
        self.bears = component.residual is not None and not kind.modes
        self.slipping = kind.column(parameters, "slipping") if kind.modes else None
        self.before, self.now = np.tile((-inf, 0.0, 0.0), (2, len(self.owners), 1))
        self.free = np.zeros(len(self.owners), np.int32)
        self.new: list[int] = []

    def show(self, entry, ffi) -> None:
        """Fill the compiled functions' entry (``fc_gaps`` of contacts.h)."""
        entry.count, entry.bears = len(self.owners), self.bears
        observed = dict(zip(("depth", "rate", "acceleration"), self.observed, strict=True))
        own = {n: getattr(self, n) for n in (*WATCHED, *GAP_MEMORY)}
        for name, column in {**observed, **own}.items():
            setattr(entry, name, ffi.cast("double *", column.ctypes.data))
        entry.observables, entry.parameters = (
            z.strides[0] // z.itemsize for z in (self.observed[0], self.touching)
        )
        entry.before, entry.now = (
            ffi.cast("double *", z.ctypes.data) for z in (self.before, self.now)
        )
        entry.free = ffi.cast("int *", self.free.ctypes.data)

    # --- steps ----------------------------------------------------------------------------------
    def find(self) -> None:
        """Note which contacts began in the step."""
        self.new = np.flatnonzero(self.free & (self.now[:, 0] > 0)).tolist()

    def raise_floors(self) -> None:
        """Least approach speeds without gravity follow the fastest motion of each contact."""
        if len(grow := self.growing):
            self.floor[grow] = np.maximum(self.floor[grow], FLOOR * np.abs(self.now[grow, 1]))

    # --- onsets ---------------------------------------------------------------------------------
    def crossing(self, k: int, h: float) -> tuple[float, float]:
        """Fraction of the step at which contact ``k`` began, and how fast.

        From the end of the step when it has just begun, else from the motion at the start of the
        step, or from the mean speed where that motion says nothing (a ball that leaves the centre),
        or where both ends are of one motion: what sticks or slips, does so all the step.
        What touched at the start of a run already, begins there.
        """
        depth, rate, acceleration = map(float, self.before[k])
        end, end_rate, _ = map(float, self.now[k])
        if depth > 0:
            return 0.0, rate
        if 0 < end <= 2 * self.instant * end_rate:
            fraction, speed = 1 - end / (end_rate * h), end_rate
        elif not self.modes and _steady(depth, rate, acceleration, h):
            speed = _speed(depth, rate, acceleration)
            fraction = -2 * depth / ((rate + speed) * h)
        else:
            speed = (end - depth) / h
            fraction = -depth / (end - depth)
        return min(max(fraction, 0.0), 1.0), speed


def _speed(depth: float, rate: float, acceleration: float) -> float:
    """Speed at depth zero of a motion of constant acceleration."""
    return sqrt(max(rate**2 - 2 * acceleration * depth, 0.0))


def _steady(depth: float, rate: float, acceleration: float, h: float) -> bool:
    """Whether the motion at the start of the step holds for all of it."""
    return rate > 0 and abs(acceleration) * h <= 0.5 * rate
