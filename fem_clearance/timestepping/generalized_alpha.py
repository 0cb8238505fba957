"""Generalized-alpha for index-3 equations of motion (Arnold and Bruels 2007).

Tian et al. (2009), eqs. (36)-(48): with the acceleration-like variable ``alg``

    (1 - alpha_m) alg_1 + alpha_m alg_0 = (1 - alpha_f) a_1 + alpha_f a_0
    q_1 = q_0 + h v_0 + h^2 [(1/2 - beta) alg_0 + beta alg_1]
    v_1 = v_0 + h [(1 - gamma) alg_0 + gamma alg_1]

second order in coordinates, velocities and multipliers, with a chosen damping of the highest
frequencies. Internal variables of first order are rates of dummy coordinates: the velocity update
is theirs, nothing changes.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from .. import checks
from .._backend import PETSc
from ..core.compiled.shared import pointer
from ..core.newton import NewtonSolver
from ..errors import InputError, NoSolution
from .rotations import powers
from .step_engine import CONSTRAINTS, StepEngine

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class GeneralizedAlpha:
    """Generalized-alpha with spectral radius ``rho_inf`` at infinite frequency.

    Args:
        rho_inf: 1 keeps the energy of the highest frequencies, 0 removes it within a step.
        constraints: ``"position"`` (index 3), or ``"stabilised"``: those on velocities hold as well
            (stabilised index 2), for a second, smaller linear system a step. By default on
            positions, but stabilised for ``rho_inf`` = 1: on positions alone, what a step leaves
            of a constraint then grows in the reactions from step to step.
    """

    rho_inf: float = 0.8
    constraints: str | None = None

    def __post_init__(self):
        checks.within("rho_inf", self.rho_inf, 0.0, 1.0)
        if self.constraints is not None:
            checks.choice("constraints", self.constraints, CONSTRAINTS)

    def scheme(self, newton: NewtonSolver) -> GeneralizedAlphaEngine:
        """The integrator at work on the system of a solver.

        Raises:
            InputError: ``rho_inf`` = 1 with constraints on positions alone, of a system that has
                any.
        """
        chosen = self.constraints or CONSTRAINTS[0]
        if self.rho_inf == 1 and newton.state.problem.any_constraint:
            if self.constraints == CONSTRAINTS[0]:
                raise InputError(
                    "rho_inf = 1 with constraints on positions alone: reactions would grow from "
                    "step to step; use constraints=stabilised, or rho_inf = 0.95 or less."
                )
            chosen = CONSTRAINTS[1]
            if self.constraints is None:
                logger.info("rho_inf = 1: constraints hold on velocities too (stabilised)")
        return GeneralizedAlphaEngine(self.rho_inf, newton, chosen)


def constraint_gains(rho_inf: float) -> tuple[float, float]:
    """Sum of the sizes of the accelerations, in units of da/dq (da/dv), by which the index-3 form
    answers a constraint on positions (on velocities) that one step leaves open by 1: how far many
    such steps add up at worst.

    Where constraints prescribe q, a follows from q by the formulas of a step: with x a delay by one
    step, s = alpha_m / (1 - alpha_m) and r = (1 - gamma) / gamma, the transfer functions are
    (1 - x)^2 (1 + s x) / (1 + rho_inf x)^3 and (1 - x) (1 + s x) / ((1 + rho_inf x) (1 + r x)). The
    terms of their series alternate in sign (of the second nearly so for rho_inf < 1/3), so the sum
    of their sizes is the value at x = -1.
    """
    left = 1 - rho_inf
    return 12 / ((2 - rho_inf) * left**2), 1.5 * (3 - rho_inf) / ((2 - rho_inf) * left)


def noise_gain(rho_inf: float) -> float:
    """Root of the sum of squares of the accelerations, in units of da/dq, by which the index-3 form
    answers a constraint on positions that one step leaves open by 1: what independent errors of
    many steps, round-off say, add up to.

    The series of (1 - x)^2 (1 + s x) / (1 + rho_inf x)^3 in the delay x by one step,
    s = alpha_m / (1 - alpha_m), see docs/integrators.md.
    """
    n = np.arange(4000)
    poles = (-rho_inf) ** n * (n + 1) * (n + 2) / 2
    s = (2 * rho_inf - 1) / (2 - rho_inf)
    answers = np.convolve(np.convolve([1, -2, 1], [1, s]), poles)[: len(n)]
    return float(np.linalg.norm(answers))


class GeneralizedAlphaEngine(StepEngine):
    """Generalized-alpha at work on one system.

    Steps begin and end in ``fc_predict`` and ``fc_update`` of ``core/compiled/steps.c``.

    Attributes:
        alg: the acceleration-like variable.
        jerk, prescribed: at a start, rate of the accelerations and the part of it that constraints
            prescribe.
    """

    def __init__(self, rho_inf: float, newton: NewtonSolver, constraints: str = "position"):
        self.alpha_m = (2 * rho_inf - 1) / (rho_inf + 1)
        self.alpha_f = rho_inf / (rho_inf + 1)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (1 + self.alpha_f - self.alpha_m) ** 2
        self.alg, self.jerk, self.prescribed = np.zeros((3, newton.state.local))
        super().__init__(newton, constraints, alg=self.alg)
        if not self.stabilised and rho_inf < 1:
            self._hold_constraints(*constraint_gains(rho_inf))
            self.answer = noise_gain(rho_inf)
        self.error_constant = (self.alpha_m - self.alpha_f) / 2 + self.beta - 1 / 6
        self.coefficients = np.zeros(9)
        array, old, alg = self._saved[:3]
        ffi = self.state.problem.module.ffi
        self._compiled = ffi.new("fc_history *")
        for name, z in (
            ("alg", self.alg), ("old", self.old), ("coefficients", self.coefficients),
            ("saved_state", array), ("saved_alg", alg), ("saved_old", old),
        ):  # fmt: skip
            setattr(self._compiled, name, pointer(ffi, z))

    # --- steps ----------------------------------------------------------------------------------
    def _factors(self, h: float) -> tuple[float, float]:
        """da/dq and dv/dq."""
        beta = (1 - self.alpha_m) / (h * h * self.beta * (1 - self.alpha_f))
        return beta, self.gamma / (h * self.beta)

    def step(self, h: float) -> NoSolution | None:
        newton = self.newton
        if h != self.h_factors:
            self.rescale(h)
        t = self.t + h
        if self.h_old:
            self._predict(h / self.h_old)
        else:
            self._begin(h)
            self._predict(0.0)
            self._settle(h)
        if self.turning and (added := self._turn(self.turning, h)) is not None:
            newton.q0 += added[0]
            newton.v0 += added[1]
            self.alg += added[2]
        if why := self._solve(t):
            return self._failed(why)
        self._lib.fc_update(newton.c, self._compiled)
        self.h_older, self.h_old, self.t = self.h_old, h, t
        return None

    def _predict(self, ahead: float) -> None:
        """Start values and first guess of a step; ``ahead``: its length by the last one's, or 0."""
        newton = self.newton
        self._saved_numbers = self.h_old, self.h_older, self.t
        if self.turning:
            self._save(3)  # the first three are saved there
        if error := self._lib.fc_predict(newton.c, self._compiled, ahead, newton.x_handle):
            raise PETSc.Error(error)

    def rescale(self, h: float):
        """Constraints scale with mass / h^2: the matrix stays well conditioned as h -> 0."""
        self.h_factors = h
        beta, gamma = self._factors(h)
        self.newton.factors(beta, gamma, 1 / h)
        self._scale(beta, gamma)
        am, af = self.alpha_m, self.alpha_f
        # a and alg in ``base``, its part of alg at the end of the step that is known at the start;
        # v, alg and base in q; alg and base in v; a at the end of the step in alg; alg's time ahead
        # of a's in steps
        self.coefficients[:] = (
            h, af / (1 - am), -am / (1 - am), h * h * (0.5 - self.beta), h * h * self.beta,
            h * (1 - self.gamma), h * self.gamma, (1 - af) / (1 - am), am - af,
        )  # fmt: skip

    def _weights(self, h: float) -> np.ndarray:
        # of q, v and alg
        am, af = self.alpha_m, self.alpha_f
        now, end, later = powers(0.0), powers(h), powers((am - af) * h)  # alg's time
        alg = ((1 - af) * end[2] + af * now[2] - am * later[2]) / (1 - am)
        q = now[0] + h * now[1] + h * h * ((0.5 - self.beta) * later[2] + self.beta * alg)
        v = now[1] + h * ((1 - self.gamma) * later[2] + self.gamma * alg)
        weights = np.array([end[0] - q, end[1] - v, powers(h + (am - af) * h)[2] - alg])
        weights[0, :3] = weights[1, :3] = weights[2, :3] = 0.0  # but for round-off
        return weights

    # --- consistent initial values --------------------------------------------------------------
    def start(self, h: float) -> None:
        """As in every scheme; then one step of ``h`` shows the jerk, without which multipliers are
        of first order for a while (Arnold, Bruels and Cardona 2015)."""
        super().start(h)
        a = self.state.a[: self.state.local].copy()
        if self.step(h):
            return
        change = self.state.a[: self.state.local] - a
        self.reject()
        self.h_old = self.h_older = None
        if (turned := self._turned(h, h)) is not None:
            change -= turned
        # that step starts with the transient: its change of prescribed accelerations is short, for
        # positions by another part than for velocities
        now = (1 - self.alpha_m) / (1 - self.alpha_f)
        rated = self.state.problem.velocity_level | self.stabilised
        parts = np.where(rated, now / (2 * self.gamma), now / (6 * self.beta))
        prescribed = self.velocities.prescribed
        if not self.stabilised:
            self.prescribed[:] = prescribed(change / h, np.where(rated, 0.0, 1 / parts))
        change += prescribed(change, 1 / parts - 1)
        self.jerk[:] = change / h

    def _begin(self, h: float) -> None:
        """``alg`` where it belongs for a first step: (alpha_m - alpha_f) h before the present."""
        ahead = (self.alpha_m - self.alpha_f) * h
        self.alg[:] = self.state.a[: self.state.local] + ahead * self.jerk
        if (turned := self._turned(h, ahead)) is not None:
            self.alg += turned

    def _settle(self, h: float) -> None:
        """Where constraints prescribe the motion, velocities of the index-3 form settle C h^2 jerk
        off (C of the local error): a first step that begins there has no transient."""
        shift = self.error_constant * h * h * self.prescribed
        self.newton.q0 -= h * shift
        self.newton.v0 -= shift

    def _turned(self, h: float, t: float) -> np.ndarray | None:
        """Change of the directors' accelerations until ``t`` from now, before a first step of
        ``h``."""
        if self.turning and self.turning.begin(h, [], []):
            return self.turning.sum((powers(t) - powers(0.0))[2:])[0]
        return None

    def snapshot(self) -> dict[str, np.ndarray]:
        return {**super().snapshot(), "jerk": self.jerk, "prescribed": self.prescribed}

    def lose_past(self) -> None:
        super().lose_past()
        self.jerk[:] = self.prescribed[:] = 0.0
