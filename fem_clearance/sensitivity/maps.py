"""A step as a linear map of the vectors that it carries, for each unknown alike.

The vectors are q, v, a, those of the integrator's own, and three that only change them: the
accelerations before the last step, and the jerk and the part of it that constraints prescribe, of a
run's first step. The equations of the step couple the unknowns; all else is here, as small matrices
of numbers, and how they change with the length of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import factorial

import numpy as np

from ..timestepping import rows
from ..timestepping.integrator import Integrator

#: relative change of a length for differences of fourth order; the numbers are powers of it
CHANGE = 1e-3
#: points and factors of a derivative by central differences of fourth order, in pairs, so that what
#: is equal at all of them adds up to zero and not to round-off
CENTRAL = ((-1, -8 / 12), (1, 8 / 12), (-2, 1 / 12), (2, -1 / 12))


@dataclass(frozen=True)
class StageMap:
    """A stage of a step: U = A Z at its start; Z = (q, v, a, own, ...) at its end.

    Attributes:
        A: own vectors, q0 and v0 (in this order) by the vectors at its start.
        beta, gamma: da/dq and dv/dq.
        ends: own vectors by q, v and a at its end.
        length: from the start of the step to the end of the stage, s.
    """

    A: np.ndarray
    beta: float
    gamma: float
    ends: np.ndarray
    length: float


@dataclass(frozen=True)
class StepMap:
    """The stages of a step, and their derivatives by its length and by that of the step before,
    which are ``StageMap`` too."""

    stages: list[StageMap]
    by_h: list[StageMap] = field(default_factory=list)
    by_last: list[StageMap] = field(default_factory=list)


class Vectors:
    """Places of the vectors of an integrator."""

    def __init__(self, integrator: Integrator):
        self.integrator, self.past = integrator, list(integrator.history.values())
        self.m = len(self.past)
        self.own = slice(3, 3 + self.m)
        self.old, self.jerk, self.prescribed = range(3 + self.m, 6 + self.m)
        self.count = 6 + self.m
        #: own vectors that are velocities
        self.rates = [3 + k for k, past in enumerate(self.past) if past.derivative == 1]
        self.moving = all(p.ahead is not None for p in self.past)
        self._maps = lru_cache(maxsize=256)(self._make)

    def maps(self, h: float, h_old: float | None, ratio_above: bool, varied: bool) -> StepMap:
        """Of a step of ``h`` after one of ``h_old`` (``None``: at a start).

        Args:
            ratio_above: whether the step is longer than the one before.
            varied: whether derivatives by lengths are wanted.
        """
        return self._maps(h, h_old, ratio_above, varied)

    def _make(self, h: float, h_old: float | None, above: bool, varied: bool) -> StepMap:
        stages = self._stages(h, h_old, above)
        if not varied:
            return StepMap(stages)
        by_h = self._derived(lambda z: self._stages(z, h_old, above), h)
        if h_old is None:
            return StepMap(stages, by_h)
        return StepMap(stages, by_h, self._derived(lambda z: self._stages(h, z, above), h_old))

    def _derived(self, at: Callable[[float], list[StageMap]], h: float) -> list[StageMap]:
        d = CHANGE * h
        found = [(factor / d, at(h + k * d)) for k, factor in CENTRAL]
        result = []
        for k in range(self.integrator.stages):
            parts = [(factor, stages[k]) for factor, stages in found]
            sums = {
                name: sum(factor * getattr(s, name) for factor, s in parts)
                for name in ("A", "beta", "gamma", "ends", "length")
            }
            result.append(StageMap(**sums))
        return result

    def _stages(self, h: float, h_old: float | None, above: bool) -> list[StageMap]:
        integrator, m = self.integrator, self.m
        last = h if self.moving or not h_old else h_old
        begin = np.zeros((3 + m, self.count))
        begin[:3, :3] = np.eye(3)
        begin[3:] = self._fresh(h) if h_old is None else self._moved(h / h_old, above)
        made = rows.stages_of(integrator, h, last)
        result = []
        for k, stage in enumerate(made):
            if k:
                begin = np.eye(3 + m, self.count)
            A = stage.from_start @ begin
            if not k and h_old is None:
                A[:, self.prescribed] = stage.from_start @ rows.settled(integrator, h)
            result.append(StageMap(A, stage.beta, stage.gamma, stage.ends, stage.length))
        return result

    def _fresh(self, h: float) -> np.ndarray:
        """Own vectors before a first step of ``h``, by a Taylor series, as ``RowEngine._begin``."""
        result = np.zeros((self.m, self.count))
        motion = [0, 1, 2, self.jerk]
        for row, past in zip(result, self.past, strict=True):
            t = -h if past.ahead is None else past.ahead * h
            for k, place in enumerate(motion[past.derivative :]):
                row[place] += t**k / factorial(k)
        return result

    def _moved(self, longer: float, above: bool) -> np.ndarray:
        """Own vectors moved with the step, as ``begin_step`` of steps.c."""
        result = np.zeros((self.m, self.count))
        for j, (row, past) in enumerate(zip(result, self.past, strict=True)):
            row[3 + j] = 1.0
            if past.ahead is None:
                continue
            if above:
                row[2] += (longer - 1) * past.ahead
                row[self.old] -= (longer - 1) * past.ahead
            else:
                row[2], row[3 + j] = 1 - longer, longer
        return result
