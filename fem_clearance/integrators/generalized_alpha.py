"""Generalized-alpha for index-3 equations of motion (Arnold and Bruels 2007).

Tian et al. (2009), eqs. (36)-(48): with the acceleration-like variable ``alg``

    (1 - alpha_m) alg_1 + alpha_m alg_0 = (1 - alpha_f) a_1 + alpha_f a_0
    q_1 = q_0 + h v_0 + h^2 [(1/2 - beta) alg_0 + beta alg_1]
    v_1 = v_0 + h [(1 - gamma) alg_0 + gamma alg_1]

second order in coordinates, velocities and multipliers, with a chosen damping of the highest
frequencies. Internal variables of first order are rates of dummy coordinates: the velocity update is
theirs, nothing changes.
"""

from dataclasses import dataclass

import numpy as np

from .. import checks
from ..errors import StepFailed
from ..newton import Newton


@dataclass(frozen=True)
class GeneralizedAlpha:
    """Generalized-alpha with spectral radius ``rho_inf`` at infinite frequency.

    Args:
        rho_inf: 1 keeps the energy of the highest frequencies, 0 removes it within a step.
    """

    rho_inf: float = 0.8

    def __post_init__(self):
        checks.within("rho_inf", self.rho_inf, 0.0, 1.0)

    def scheme(self, newton: Newton) -> "Scheme":
        return Scheme(self.rho_inf, newton)


class Scheme:
    """Generalized-alpha at work on one system.

    Attributes:
        alg: the acceleration-like variable (local numbers).
        a_old, lam_old: accelerations and algebraic unknowns one step back, ``h_old`` that step.
    """

    def __init__(self, rho_inf: float, newton: Newton):
        self.newton, self.state = newton, newton.state
        self.alpha_m = (2 * rho_inf - 1) / (rho_inf + 1)
        self.alpha_f = rho_inf / (rho_inf + 1)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (1 + self.alpha_f - self.alpha_m) ** 2
        n = self.state.local
        self.dynamic = self.state.dynamic[:n]
        self.alg, self.a_old, self.lam_old = np.zeros(n), np.zeros(n), np.zeros(n)
        self.masses = np.ones(self.state.total)
        self.h_old: float | None = None  # no step behind us: nothing to extrapolate
        self.h_factors: float | None = None
        self.t = 0.0

    # --- steps ----------------------------------------------------------------------------------
    def _factors(self, h: float) -> tuple[float, float]:
        """da/dq and dv/dq."""
        beta = (1 - self.alpha_m) / (h * h * self.beta * (1 - self.alpha_f))
        return beta, self.gamma / (h * self.beta)

    def step(self, h: float) -> bool:
        """Advance by ``h``; ``False`` (and nothing changed) if Newton finds no solution."""
        state, newton, n = self.state, self.newton, self.state.local
        self._save()
        q, v, a = state.q[:n], state.v[:n], state.a[:n]
        if self.h_old and h != self.h_old:  # alg belongs to a time that moves with the step
            self.alg = a + (h / self.h_old) * (self.alg - a)
        if h != self.h_factors:
            self._rescale(h)
        state.q_n[:] = state.q
        am, af = self.alpha_m, self.alpha_f
        base = (af * a - am * self.alg) / (1 - am)
        q0 = q + h * v + h * h * ((0.5 - self.beta) * self.alg + self.beta * base)
        v0 = v + h * ((1 - self.gamma) * self.alg + self.gamma * base)
        q0 *= self.dynamic
        v0 *= self.dynamic
        lam = np.where(self.dynamic, 0.0, q)
        ahead, lam_ahead = a, lam
        if self.h_old:
            ratio = h / self.h_old
            ahead = a + ratio * (a - self.a_old)
            lam_ahead = lam + ratio * (lam - self.lam_old)
        beta, gamma = self._factors(h)
        old_a, old_lam = a.copy(), lam
        guess = (ahead / beta + lam_ahead)[: state.owned]
        if not newton.solve(q0, v0, beta, gamma, guess, self.t + h):
            plain = (old_a / beta + old_lam)[: state.owned]
            if not newton.solve(q0, v0, beta, gamma, plain, self.t + h, full=True):
                self.reject()
                newton.rebuild = True
                return False
        self.change = state.a[:n] - old_a
        self.a_old, self.lam_old = old_a, old_lam
        self.alg = base + (1 - af) / (1 - am) * state.a[:n]
        self.h_old = h
        self.t += h
        return True

    def error(self, h: float, noise: float = 0.0) -> np.ndarray:
        """Local error of the coordinates, owned: h^2/12 times the change of acceleration, the
        leading term h^3/12 d^3q/dt^3 of the trapezoidal rule."""
        n = self.state.owned
        change = np.maximum(np.abs(self.change[:n]) - noise, 0.0)
        return change * (h * h / 12) * self.dynamic[:n]

    def _save(self):
        self._saved = (self.state.array.copy(), self.alg.copy(), self.a_old, self.lam_old, self.h_old, self.t)

    def reject(self):
        """Back to the start of the last step, parameters included."""
        array, alg, self.a_old, self.lam_old, self.h_old, self.t = self._saved
        self.state.array[:], self.alg = array, alg.copy()

    def _rescale(self, h: float):
        """Constraints scale with mass / h^2: the matrix stays well conditioned as h -> 0."""
        self.h_factors = h
        self._scale(self._factors(h)[0])

    def _scale(self, beta: float):
        state = self.state
        state.scale[:] = np.where(state.algebraic, self.masses * beta, 1.0)
        self.newton.rebuild = True

    # --- consistent initial values --------------------------------------------------------------
    def start(self, h: float) -> None:
        """Accelerations, multipliers and ``alg`` at the present positions and velocities.

        Trial steps of constant acceleration give accelerations and multipliers without forms of the
        hidden constraints. One step of ``h`` then shows the jerk, with which ``alg`` starts where it
        belongs: (alpha_m - alpha_f) h before the present (Arnold, Bruels and Cardona 2015); without
        that the multipliers are first order for a while.
        """
        self.masses = self._masses()
        self.restart(h)
        self.h_factors = None
        a = self.state.a[: self.state.local].copy()
        if not self.step(h):
            return
        change = self.state.a[: self.state.local] - a
        self.reject()
        self.h_old = None
        self.alg = a + (self.alpha_m - self.alpha_f) * change

    def forget(self) -> None:
        """Go on from the present accelerations without a past, for steps of another size."""
        self.alg = self.state.a[: self.state.local].copy()
        self.h_old = self.h_factors = None

    def restart(self, h: float) -> None:
        """Accelerations and multipliers after a jump of the forces, extrapolated from two short
        trial steps to the present."""
        state, n = self.state, self.state.local
        self._save()
        results = []
        for trial in (0.02 * h, 0.01 * h):
            self.reject()
            self._scale(2 / trial**2)
            state.q_n[:] = state.q
            q, v, a = state.q[:n].copy(), state.v[:n].copy(), state.a[:n].copy()
            q0, v0 = (q + trial * v) * self.dynamic, v * self.dynamic
            guess = (a * trial**2 / 2 + np.where(self.dynamic, 0.0, q))[: state.owned]
            if not self.newton.solve(q0, v0, 2 / trial**2, 2 / trial, guess, self.t + trial, full=True):
                raise StepFailed("no consistent accelerations at the start: " + self.newton.failure())
            self.newton.accepted()
            results.append((state.a[:n].copy(), state.q[:n].copy()))
        (a2, q2), (a1, q1) = results
        self.reject()
        state.a[:n] = (2 * a1 - a2) * self.dynamic
        state.q[:n] = np.where(self.dynamic, state.q[:n], 2 * q1 - q2)
        self.alg = state.a[:n].copy()
        self.h_old = self.h_factors = None

    def _masses(self) -> np.ndarray:
        """Inertia that each algebraic row acts on: 1 / sum(Phi_j^2 / m_j)."""
        state = self.state
        heavy = state.tangent(1.0, 0.0).copy()
        light = state.tangent(0.0, 0.0)
        on_diagonal = state.coo_rows == state.coo_cols
        mass = np.bincount(
            state.coo_rows[on_diagonal], (heavy - light)[on_diagonal], state.total
        )
        mass = np.append(state.spread(state.add_over_ranks(mass)), np.ones(state.total - state.local))
        mass[state.dynamic == 0] = 0
        rows, cols = state.coo_rows, state.coo_cols
        use = (state.dynamic[rows] == 0) & (mass[cols] > 0)
        mobility = np.bincount(rows[use], light[use] ** 2 / mass[cols[use]], state.total)
        mobility = np.append(state.spread(state.add_over_ranks(mobility)), np.zeros(state.total - state.local))
        return 1 / np.where(mobility > 0, mobility, 1.0)

    # --- checkpoints ----------------------------------------------------------------------------
    def snapshot(self) -> dict[str, np.ndarray]:
        """Arrays by local number that a resumed run needs beside the state."""
        n = self.state.local
        return {"alg": self.alg, "a_old": self.a_old, "lam_old": self.lam_old, "masses": self.masses[:n]}

    def set(self, name: str, values: np.ndarray) -> None:
        """Set one of the arrays of ``snapshot``."""
        if name == "masses":
            values = np.append(values, np.ones(self.state.total - self.state.local))
        setattr(self, name, values)
