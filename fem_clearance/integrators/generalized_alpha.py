"""Generalized-alpha for index-3 equations of motion (Arnold and Bruels 2007).

Tian et al. (2009), eqs. (36)-(48): with the acceleration-like variable ``alg``

    (1 - alpha_m) alg_1 + alpha_m alg_0 = (1 - alpha_f) a_1 + alpha_f a_0
    q_1 = q_0 + h v_0 + h^2 [(1/2 - beta) alg_0 + beta alg_1]
    v_1 = v_0 + h [(1 - gamma) alg_0 + gamma alg_1]

second order in coordinates, velocities and multipliers, with a chosen damping of the highest
frequencies. Internal variables of first order are rates of dummy coordinates: the velocity update
is theirs, nothing changes.
"""

from dataclasses import dataclass

import numpy as np

from .. import checks
from .._backend import PETSc
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

    The steps are computed by ``fc_predict`` and ``fc_update`` of ``loop.c``; ``_predict`` and
    ``_update`` are the same in Python. Arrays are by local number; values of other ranks' unknowns
    are computed here as there, not sent.

    Attributes:
        alg: the acceleration-like variable.
        old: accelerations of coordinates, values of algebraic unknowns, before the last step, of
            which ``h_old`` is the length; the next first guess extrapolates them.
    """

    def __init__(self, rho_inf: float, newton: Newton):
        self.newton, self.state = newton, newton.state
        self._lib = self.state.module.lib if self.state.module is not None else None
        self.alpha_m = (2 * rho_inf - 1) / (rho_inf + 1)
        self.alpha_f = rho_inf / (rho_inf + 1)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (1 + self.alpha_f - self.alpha_m) ** 2
        n = self.state.local
        self.dynamic = self.state.dynamic[:n]
        self.alg, self.old = np.zeros((2, n))
        self.masses = np.ones(self.state.total)
        self.h_old: float | None = None  # no step behind us: nothing to extrapolate
        self.h_factors: float | None = None
        self.t = 0.0
        self.coefficients = np.zeros(8)
        self._saved_numbers: tuple[float | None, float] = (None, 0.0)
        self._saved = [np.zeros_like(z) for z in (self.state.array, self.alg, self.old)]
        array, alg, old = self._saved
        newton.shared.point(
            alg=self.alg, old=self.old, coefficients=self.coefficients,
            saved_state=array, saved_alg=alg, saved_old=old,
        )  # fmt: skip

    # --- steps ----------------------------------------------------------------------------------
    def _factors(self, h: float) -> tuple[float, float]:
        """da/dq and dv/dq."""
        beta = (1 - self.alpha_m) / (h * h * self.beta * (1 - self.alpha_f))
        return beta, self.gamma / (h * self.beta)

    def step(self, h: float) -> bool:
        """Advance by ``h``; ``False`` (and nothing changed) if Newton finds no solution."""
        newton = self.newton
        if h != self.h_factors:
            self._rescale(h)
        t = self.t + h
        self._saved_numbers = self.h_old, self.t
        self._predict(h / self.h_old if self.h_old else 0.0)
        if not newton.solve(t):
            newton.guess(self._plain_guess())
            if not newton.solve(t, full=True):
                self.reject()
                newton.rebuild = True
                return False
        self._update()
        self.h_old, self.t = h, t
        return True

    def _predict(self, ahead: float) -> None:
        """Start values and first guess of a step; ``ahead``: its length by the last one's, or 0."""
        state, newton, n = self.state, self.newton, self.state.local
        if self._lib is not None:
            if error := self._lib.fc_predict(newton.c, ahead, newton.x_handle):
                raise PETSc.Error(error)
            return
        self._save()
        state.q_n[:] = state.q
        q, v, a, alg = state.q[:n], state.v[:n], state.a[:n], self.alg
        h, c_a, c_alg, q_alg, q_base, v_alg, v_base, _ = self.coefficients
        if ahead:
            alg = a + ahead * (alg - a)  # it belongs to a time that moves with the step
        base = (c_a * a + c_alg * alg) * self.dynamic
        newton.q0[:] = (q + h * v + q_alg * alg + q_base * base) * self.dynamic
        newton.v0[:] = (v + v_alg * alg + v_base * base) * self.dynamic
        y = np.where(self.dynamic, a, q)
        guess = y + ahead * (y - self.old)
        newton.guess(np.where(self.dynamic, guess / newton.c.beta, guess)[: state.owned])
        self.alg[:], self.old[:] = base, y

    def _plain_guess(self) -> np.ndarray:
        """Accelerations and algebraic values as they were at the start of the step."""
        guess = np.where(self.dynamic, self.old / self.newton.c.beta, self.old)
        return guess[: self.state.owned]

    def _update(self) -> None:
        if self._lib is not None:
            self._lib.fc_update(self.newton.c)
        else:
            self.alg += self.coefficients[7] * self.state.a[: self.state.local]

    def error(self, h: float, noise: float = 0.0) -> np.ndarray:
        """Local error of the coordinates, owned: h^2/12 times the change of acceleration, the
        leading term h^3/12 d^3q/dt^3 of the trapezoidal rule."""
        n = self.state.owned
        change = np.maximum(np.abs(self.state.a[:n] - self.old[:n]) - noise, 0.0)
        return change * (h * h / 12) * self.dynamic[:n]

    def _save(self):
        for copy, z in zip(self._saved, (self.state.array, self.alg, self.old), strict=True):
            copy[:] = z
        self._saved_numbers = self.h_old, self.t

    def reject(self):
        """Back to the start of the last step, parameters included."""
        self.state.array[:], self.alg[:], self.old[:] = self._saved
        self.h_old, self.t = self._saved_numbers

    def _rescale(self, h: float):
        """Constraints scale with mass / h^2: the matrix stays well conditioned as h -> 0."""
        self.h_factors = h
        beta, gamma = self._factors(h)
        self.newton.factors(beta, gamma)
        self._scale(beta)
        am, af = self.alpha_m, self.alpha_f
        # a and alg in ``base``, its part of alg at the end of the step that is known at the start;
        # v, alg and base in q; alg and base in v; a at the end of the step in alg
        self.coefficients[:] = (
            h, af / (1 - am), -am / (1 - am), h * h * (0.5 - self.beta), h * h * self.beta,
            h * (1 - self.gamma), h * self.gamma, (1 - af) / (1 - am),
        )  # fmt: skip

    def _scale(self, beta: float):
        state = self.state
        state.scale[:] = np.where(state.algebraic, self.masses * beta, 1.0)
        self.newton.rescaled()

    # --- consistent initial values --------------------------------------------------------------
    def start(self, h: float) -> None:
        """Accelerations, multipliers and ``alg`` at the present positions and velocities.

        Trial steps of constant acceleration give accelerations and multipliers without forms of
        the hidden constraints. One step of ``h`` then shows the jerk, with which ``alg`` starts
        where it belongs: (alpha_m - alpha_f) h before the present (Arnold, Bruels and Cardona
        2015); without that the multipliers are first order for a while.
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
        self.alg[:] = a + (self.alpha_m - self.alpha_f) * change

    def forget(self) -> None:
        """Go on from the present accelerations without a past, for steps of another size."""
        self.alg[:] = self.state.a[: self.state.local]
        self.h_old = self.h_factors = None

    def restart(self, h: float) -> None:
        """Accelerations and multipliers after a jump of the forces, extrapolated from two short
        trial steps to the present."""
        state, newton, n = self.state, self.newton, self.state.local
        self._save()
        results = []
        for trial in (0.02 * h, 0.01 * h):
            self.reject()
            self._scale(2 / trial**2)
            newton.factors(2 / trial**2, 2 / trial)
            state.q_n[:] = state.q
            q, v, a = state.q[:n], state.v[:n], state.a[:n]
            newton.q0[:], newton.v0[:] = (q + trial * v) * self.dynamic, v * self.dynamic
            newton.guess(np.where(self.dynamic, a * trial**2 / 2, q)[: state.owned])
            if not newton.solve(self.t + trial, full=True):
                raise StepFailed("no consistent accelerations at the start: " + newton.failure())
            newton.accepted()
            results.append((state.a[:n].copy(), state.q[:n].copy()))
        (a2, q2), (a1, q1) = results
        self.reject()
        state.a[:n] = (2 * a1 - a2) * self.dynamic
        state.q[:n] = np.where(self.dynamic, state.q[:n], 2 * q1 - q2)
        self.alg[:] = state.a[:n]
        self.h_old = self.h_factors = None

    def _masses(self) -> np.ndarray:
        """Inertia that each algebraic row acts on: 1 / sum(Phi_j^2 / m_j)."""
        state = self.state
        heavy = state.tangent(1.0, 0.0).copy()
        light = state.tangent(0.0, 0.0)
        on_diagonal = state.coo_rows == state.coo_cols
        mass = np.bincount(state.coo_rows[on_diagonal], (heavy - light)[on_diagonal], state.total)
        mass = np.append(
            state.spread(state.add_over_ranks(mass)), np.ones(state.total - state.local)
        )
        mass[state.dynamic == 0] = 0
        rows, cols = state.coo_rows, state.coo_cols
        use = (state.dynamic[rows] == 0) & (mass[cols] > 0)
        mobility = np.bincount(rows[use], light[use] ** 2 / mass[cols[use]], state.total)
        mobility = np.append(
            state.spread(state.add_over_ranks(mobility)), np.zeros(state.total - state.local)
        )
        return 1 / np.where(mobility > 0, mobility, 1.0)

    # --- checkpoints ----------------------------------------------------------------------------
    def snapshot(self) -> dict[str, np.ndarray]:
        """Arrays by local number that a resumed run needs beside the state."""
        return {"alg": self.alg, "old": self.old, "masses": self.masses[: self.state.local]}

    def set(self, name: str, values: np.ndarray) -> None:
        """Set one of the arrays of ``snapshot``."""
        self.snapshot()[name][:] = values
