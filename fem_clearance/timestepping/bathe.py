"""Bathe's composite scheme: a trapezoidal sub-step, then three-point backward differences.

Bathe (2007), Computers and Structures 85, 437-445; with the fraction s of the step h that the first
sub-step takes (Bathe and Noh 2012; 1/2 in the paper), k = s h:

    v_k = v_0 + k/2 (a_0 + a_k),             q_k = q_0 + k/2 (v_0 + v_k)
    v_1 = c_1 q_0 + c_2 q_k + c_3 q_1,       a_1 = c_1 v_0 + c_2 v_k + c_3 v_1
    c_1 = (1 - s)/(s h),  c_2 = -1/((1 - s) s h),  c_3 = (2 - s)/((1 - s) h)

Equations and constraints are solved at the end of both sub-steps. Second order; the highest
frequencies are gone after one step. Internal variables of first order are rates of dummy
coordinates, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import checks
from ..core.newton import NewtonSolver
from ..errors import InputError, NoSolution
from .rotations import powers
from .step_engine import CONSTRAINTS, StepEngine


@dataclass(frozen=True)
class Bathe:
    """Bathe's composite scheme: no parameter to choose, large steps, two solves a step.

    Args:
        split: part of the step that the trapezoidal sub-step takes. 1/2 is the published scheme;
            2 - sqrt(2) = 0.586 gives both sub-steps the same tangent, which is then kept over steps
            (and a slightly smaller error).
        constraints: ``"stabilised"``: those on velocities hold as well (stabilised index 2), or
            ``"position"`` (index 3): multipliers are then of first order only.
    """

    split: float = 0.5
    constraints: str = "stabilised"

    def __post_init__(self):
        if not 0 < checks.number("split", self.split) < 1:
            raise InputError(f"split must lie between 0 and 1, got {self.split:g}.")
        checks.choice("constraints", self.constraints, CONSTRAINTS)

    def scheme(self, newton: NewtonSolver) -> BatheEngine:
        """The integrator at work on the system of a solver."""
        return BatheEngine(self.split, newton, self.constraints)


class BatheEngine(StepEngine):
    """Bathe's composite scheme at work on one system.

    Attributes:
        middle: accelerations at the end of the last step's first sub-step.
    """

    substeps = 2

    def __init__(self, split: float, newton: NewtonSolver, constraints: str = "stabilised"):
        super().__init__(newton, constraints)
        self.middle = np.zeros(newton.state.local)
        self.split, self.error_constant = split, _error_constant(split)

    def step(self, h: float) -> NoSolution | None:
        state, n = self.state, self.state.local
        self._save()
        state.q_n[:] = state.q
        q, v, a = (z[:n].copy() for z in (state.q, state.v, state.a))
        values = np.where(self.dynamic, a, q)
        ahead = h / self.h_old if self.h_old else 0.0
        middle = values + self.split * ahead * (values - self.old)
        self.old[:] = values
        k, (c1, c2, c3) = self.split * h, self._differences(h)
        base = q + k * v + k * k / 4 * a, v + k / 2 * a
        added = np.zeros((4, n))
        if self.turning and (turned := self._turn(self.turning, h)) is not None:
            added = turned
        base = base[0] + added[0], base[1] + added[1]
        if why := self._substep(0, self._trapezoidal(h), base, middle, self.t + k):
            return self._failed(why)
        self.middle = state.a[:n].copy()
        values_k = np.where(self.dynamic, self.middle, state.q[:n])
        end = values + (values_k - values) / self.split
        rest = -(c1 * v + c2 * state.v[:n] + added[3]) / c3, added[2] + c1 * q + c2 * state.q[:n]
        base = (rest[0] - rest[1]) / c3, rest[0]
        if why := self._substep(1, (c3 * c3, c3), base, end, self.t + h):
            return self._failed(why)
        self.h_older, self.h_old, self.h_factors = self.h_old, h, h
        self.t += h
        return None

    def _change(self) -> np.ndarray:
        # a contact may begin and end between the ends of the step
        middle, end = (
            np.abs(z[: self.state.local] - self.middle) for z in (self.old, self.state.a)
        )
        return np.maximum(np.maximum(middle, end), super()._change())

    def _substep(self, number: int, factors, base, guess, time) -> NoSolution | None:
        """Solve at ``time`` for q = base + x, v = base + gamma x, a = beta x."""
        newton, state = self.newton, self.state
        self._use(factors)
        newton.c.per_step = 1 / (time - self.t)
        newton.q0[:], newton.v0[:] = (z * self.dynamic for z in base)
        guess = np.where(self.dynamic, guess / newton.c.beta, guess)
        newton.guess(guess[: state.owned])
        return self._solve(time, number)

    def rescale(self, h: float) -> None:
        self.h_factors = h
        c3 = self._differences(h)[2]
        self._use((c3 * c3, c3))

    def _use(self, factors: tuple[float, float]) -> None:
        """Factors of a sub-step; the tangent is kept if they differ by round-off only."""
        beta, gamma = factors
        if abs(beta - self.newton.c.beta) > 1e-12 * beta or self.h_factors is None:
            self.newton.factors(beta, gamma)
            self._scale(beta, gamma)

    def _weights(self, h: float) -> np.ndarray:
        # of q and v at the end of the first sub-step, of v and a at the end of the second
        k, (c1, c2, c3) = self.split * h, self._differences(h)
        now, middle, end = powers(0.0), powers(k), powers(h)
        mean = (now[2] + middle[2]) / 2
        q = middle[0] - now[0] - k * now[1] - k * k / 2 * mean
        v = middle[1] - now[1] - k * mean
        weights = np.array([q, v, *(end[1:] - c1 * now[:2] - c2 * middle[:2] - c3 * end[:2])])
        weights[:3, :3] = weights[3, :4] = 0.0  # but for round-off
        return weights

    def _trapezoidal(self, h: float) -> tuple[float, float]:
        """da/dq and dv/dq of the first sub-step."""
        k = self.split * h
        return 4 / k**2, 2 / k

    def _differences(self, h: float) -> tuple[float, float, float]:
        """c_1, c_2, c_3 of the second sub-step."""
        s = self.split
        return (1 - s) / (s * h), -1 / ((1 - s) * s * h), (2 - s) / ((1 - s) * h)


def _error_constant(split: float) -> float:
    """C in the local error C h^3 d^3q/dt^3 of a step.

    The trapezoidal sub-step leaves s^3/12; of a value at its end the differences keep
    -c_2/c_3 = 1/(s (2 - s)) and add their own error, (1 - s)^2/(6 (2 - s)) of the third derivative.
    """
    s = split
    return s**2 / (12 * (2 - s)) + (1 - s) ** 2 / (6 * (2 - s))
