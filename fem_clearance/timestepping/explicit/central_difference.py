"""Explicit central differences, constraints imposed by multipliers (RATTLE, Andersen 1983).

With v_half the velocity in the middle of a step h from q_0 to q_1,

    M a_+ + B_0^T lam_+ = f(q_0, v_0, t_0)   with lam_+ such that Phi(q_1, t_1) = 0,
    v_half = v_0 + h/2 a_+,   q_1 = q_0 + h v_half,
    M a_- + B_1^T lam_- = f(q_1, v_0 + h a_+, t_1)   with lam_- such that B_1 v_1 + dPhi/dt = 0,
    v_1 = v_half + h/2 a_-.

Without constraints these are central differences, (q_2 - 2 q_1 + q_0)/h^2 = M^-1 f(q_1).
Constraints hold on positions and on velocities at every step; the scheme is reversible in time and
of second order. lam_- and lam_+ at one time are off by O(h), equally and oppositely: recorded
accelerations and multipliers are their means, central differences themselves. Forces that depend
on velocities are taken at predicted ones.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from ... import checks
from ...core.initial import set_to
from ...core.newton import NewtonSolver
from ...core.state import State
from ...core.symbols import PER_STEP
from ...errors import InputError, NoSolution, StepFailed
from ..step_engine import StepEngine
from .inertia import Inertia
from .limit import StepLimit

logger = logging.getLogger(__name__)

#: part of the stable step that is taken where none is given
SAFE = 0.8
NO_NUMBERS = NoSolution("forces are no finite numbers")


@dataclass(frozen=True)
class CentralDifference:
    """Explicit central differences: no equations to solve but those of the constraints.

    For short events in solids with a lumped mass matrix (``Solid(lumped=True)``). Steps are limited
    by the fastest motion of the system, see ``StepLimit``; the default step is 0.8 of that.

    Args:
        renew: steps after which the limit is computed again; it also is after each onset of
            contact, and when forces change faster than before (``StepLimit.stiffer``).

    Example::

        rod = fc.meshes.block((0.1, 0.01, 0.01), (20, 1, 1))
        impact = fc.System(gravity=(0, 0, 0))
        impact.add(fc.Solid(rod, steel, lumped=True, free=True))
        fc.Simulation(impact, fc.CentralDifference(), t_end=1e-4)
    """

    renew: int = 200

    def __post_init__(self):
        checks.count("renew", self.renew)

    def scheme(self, newton: NewtonSolver) -> CentralDifferenceEngine:
        """The integrator at work on the system of a solver."""
        return CentralDifferenceEngine(newton, self.renew)

    def stable_step(self, system, initial=None) -> float:
        """The largest stable step at the start, s (``inf`` if nothing limits it); collective.

        Args:
            system: the model; it is assembled.
            initial: state to begin with; default: the model's initial values.

        Raises:
            InputError: a system that cannot be stepped explicitly.
        """
        state = State(system.assemble())
        newton = NewtonSolver(state)
        set_to(state, initial)
        trial = self.scheme(newton)
        try:
            trial.weigh()
            trial.velocities.project()
            first = trial.limit.compute()
            if not trial.inertia.any:
                return first
            trial.restart(1e-3 * min(first, 1.0))  # multipliers are stiffness, too
            return trial.limit.compute()
        finally:
            trial.velocities.destroy()
            newton.destroy()

    def default_step(self, system, initial=None) -> float:
        """The step that is taken where none is given, s."""
        limit = self.stable_step(system, initial)
        if not np.isfinite(limit):
            raise InputError(
                "central_difference: no stiffness limits the step of this system; give dt."
            )
        logger.info(
            "explicit steps are stable up to %.4g s; dt = %.4g s is used", limit, SAFE * limit
        )
        return SAFE * limit


class CentralDifferenceEngine(StepEngine):
    """Central differences at work on one system.

    Attributes:
        ahead: accelerations and multipliers (a_+, lam_+) that lead from the present positions to
            those a step of ``h_factors`` ahead.
        limit: of the step; ``stable``: its last value, s.
        every, due: steps between two values, and until the next one.
        wanted: longest step asked for so far, s.
    """

    #: C in the local error C h^3 d^3q/dt^3
    error_constant = 1 / 6
    #: violation of a constraint that is round-off, and one that is a failure
    round_off, failure = 1e-15, 1e-9
    #: solves of a step until constraints on positions hold
    most = 20

    def __init__(self, newton: NewtonSolver, renew: int):
        super().__init__(newton, "position", ("ahead",))
        self.ahead = self.own[0]
        self.velocities = self.inertia = Inertia(newton, self.masses)
        self.limit, self.stable = StepLimit(self.inertia), np.inf
        self.every, self.due, self.wanted = renew, 0, 0.0
        self._saved_factors: float | None = None

    # --- steps ----------------------------------------------------------------------------------
    def step(self, h: float) -> NoSolution | None:
        state, n = self.state, self.state.local
        if not self._allowed(h):
            return self._unstable()
        self._save()
        self.old[:] = self._mean()
        state.q_n[:] = state.q
        if h != self.h_factors and (why := self._anew(h)):
            return self._failed(why)
        q, v = state.q[:n].copy(), state.v[:n].copy()
        ahead = self.ahead * self.dynamic
        half = v + h / 2 * ahead
        state.q[:n] = q + h * half
        state.v[:n] = v + h * ahead
        forces = self._forces(self.t + h, h)
        if forces is None:
            return self._failed(NO_NUMBERS)
        self.inertia.renew()
        behind = self.inertia.accelerations(forces, -2 / h * self.inertia.rates(half))
        state.v[:n] = half + h / 2 * behind * self.dynamic
        if why := self._carry(h, self.t + h, behind):
            return self._failed(why)
        mean = (behind + self.ahead) / 2
        self._record(mean)
        if self.limit.stiffer(mean - self.old, h * half, self.wanted):
            self.stable, self.due = self.limit.compute(), self.every
            if h > self.stable * (1 + 1e-9):
                return self._failed(self._unstable())
        self.h_older, self.h_old, self.t = self.h_old, h, self.t + h
        self.due -= 1
        return None

    def _mean(self) -> np.ndarray:
        """Present accelerations, and multipliers in their rows."""
        n = self.state.local
        return np.where(self.dynamic, self.state.a[:n], self.state.q[:n])

    def _record(self, mean: np.ndarray) -> None:
        state, n = self.state, self.state.local
        state.a[:n] = mean * self.dynamic
        state.q[:n] = np.where(self.dynamic, state.q[:n], mean)
        state.follow()

    def _forces(self, time: float, h: float) -> np.ndarray | None:
        """All forces but those of inertia and constraints at the present positions and velocities,
        owned; ``None`` if they are no numbers. Accelerations and multipliers are zero after it."""
        state, n = self.state, self.state.local
        state.globals[:3] = time, 0.0, 0.0
        state.globals[PER_STEP] = 1 / h
        state.a[:n] = 0.0
        state.q[:n] *= self.dynamic
        rows = -state.add_over_ranks(state.residual())
        finite = bool(np.all(np.isfinite(rows)))
        if state.comm.size > 1:
            finite = state.comm.allgather(finite).count(False) == 0
        return rows if finite else None

    def _anew(self, h: float) -> NoSolution | None:
        """``ahead`` for a step of another length from here."""
        kept = self._mean()
        forces = self._forces(self.t, h)
        if forces is None:
            return NO_NUMBERS
        self.inertia.renew()
        wanted = self.inertia.rates(kept * self.dynamic, drift=False)
        return self._carry(h, self.t, self.inertia.accelerations(forces, wanted))

    def _carry(self, h: float, time: float, guess: np.ndarray) -> NoSolution | None:
        """Find ``ahead`` for a step of ``h`` from the present positions at ``time``: corrections by
        multipliers until the positions at its end agree with the constraints.

        Args:
            guess: accelerations and multipliers that balance the forces.
        """
        state, n, inertia = self.state, self.state.local, self.inertia
        self.ahead[:] = guess
        self.h_factors = h
        if not inertia.any:
            return None
        q, before, part = state.q[:n].copy(), np.inf, np.inf
        globals_ = state.globals.copy()
        state.globals[0] = time + h
        for _ in range(self.most):
            state.q[:n] = q + (h * state.v[:n] + h * h / 2 * self.ahead) * self.dynamic
            state.q[:n] *= self.dynamic
            violation = inertia.places()
            part = inertia.part(violation)
            if part <= self.round_off or not part < 0.3 * before:
                break
            before = part
            nothing = np.zeros(state.owned)
            self.ahead += inertia.accelerations(nothing, -2 / (h * h) * violation)
        state.q[:n], state.globals[:] = q, globals_
        if part <= self.failure:
            return None
        return NoSolution(f"constraints on positions stay violated by {part:.1e} of their size")

    def _save(self):
        super()._save()
        self._saved_factors = self.h_factors

    def reject(self):
        super().reject()
        self.h_factors = self._saved_factors

    # --- the limit ------------------------------------------------------------------------------
    def _allowed(self, h: float) -> bool:
        """Whether a step of ``h`` is stable here."""
        self.wanted = max(h, self.wanted)
        if self.due <= 0 or self.newton.rebuild:  # the stepper asks so after an onset of contact
            self.newton.rebuild = False
            self.stable, self.due = self.limit.compute(), self.every
        if h <= self.stable * (1 + 1e-9):
            return True
        logger.debug("t = %g s: the step is cut, stable up to %.4g s", self.t, self.stable)
        self._save()  # a rejection leaves everything as it is
        return False

    def _unstable(self) -> NoSolution:
        return NoSolution(f"steps are stable up to {self.stable:.4g} s")

    def _check(self, h: float) -> None:
        self.stable, self.due = self.limit.compute(), self.every
        if h > self.stable * (1 + 1e-9):
            raise InputError(
                f"central_difference: dt = {h:.4g} s is above the stability limit of "
                f"{self.stable:.4g} s (fastest motion {self.limit.omega:.4g} rad/s); give dt = "
                f"{SAFE * self.stable:.2g} s or less, or no dt."
            )

    # --- consistent initial values --------------------------------------------------------------
    def start(self, h: float) -> None:
        self.weigh()
        self._check(h)
        self.restart(h)
        if self.inertia.any:
            self._check(h)  # with the multipliers' stiffness

    def weigh(self) -> None:
        self.inertia.prepare()
        super().weigh()

    def restart(self, h: float) -> None:
        """Accelerations and multipliers at the present positions and velocities, the means of those
        for a step forth and a step back."""
        state = self.state
        self._save()
        state.q_n[:] = state.q
        forces = self._forces(self.t, h)
        if forces is None:
            raise InputError("central_difference: forces at the start are no finite numbers.")
        self.inertia.renew()
        guess = self.inertia.accelerations(forces)
        why = self._carry(-h, self.t, guess)
        back = self.ahead.copy()
        if why := self._carry(h, self.t, back) or why:
            raise StepFailed(f"t = {self.t:g} s: no step of {h:.2g} s: {why.reason}.")
        self._record((back + self.ahead) / 2)
        self.h_old = self.h_older = None

    def resume(self) -> None:
        """Does nothing: explicit steps have no factors and no scaled constraints."""
