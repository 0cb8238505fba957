"""Newton's method for one step: PETSc SNES on a system's state.

The solver's unknowns are increments of the coordinates over ``q0`` (so that accelerations
``beta (q - q0)`` do not lose digits) and scaled values of the algebraic unknowns. The tangent and
its factors are kept until keeping them costs more than a new one. Convergence is judged row by row.
"""

import logging

from ._backend import PETSc
import numpy as np

from .errors import SingularSystem
from .state import State

logger = logging.getLogger(__name__)

REASON = PETSc.SNES.ConvergedReason


class Newton:
    """Solves the residual of a step.

    Args:
        state: the assembled system.
        tolerance: largest residual of a row, relative to the largest force of its class so far.
        max_iterations: before a step is given up.
        options: PETSc options of this solver (without prefix), as ``{"ksp_type": "gmres"}``; those in
            PETSc's own database under the prefix ``fc_`` win.

    Attributes:
        force_scale: largest sum of forces met so far in each class of rows.
        iterations, tangents: totals over the run.
    """

    #: price of a tangent and its factors in iterations; fixed, so that runs repeat
    price = 3.0
    #: an iteration must leave less than this part of the residual, or the tangent is renewed
    pace = 0.3

    def __init__(self, state: State, tolerance=1e-8, max_iterations=15, options=None):
        self.state, self.tolerance = state, tolerance
        self.force_scale, self.known = np.zeros(len(state.row_names)), False
        self.iterations = self.tangents = self.evaluations = 0
        self.roundoff = np.zeros(state.owned)
        self.at_tangent = None
        self.options = dict(options or {})
        self.max_iterations = max_iterations
        self.renew()

    def renew(self):
        """SNES and its vectors, again after the matrix's pattern changed."""
        state = self.state
        self.x, self.f = state.x.duplicate(), state.x.duplicate()
        self.x.zeroEntries()
        self.owner = "petsc" if state.comm.size == 1 else "mumps"
        self._solver()
        self.rebuild = True
        self.cost, self.since, self.before = 0.0, 0, self.tangents

    def _solver(self):
        snes = self.snes = PETSc.SNES().create(self.state.comm)
        snes.setType("newtonls")
        snes.getLineSearch().setType("basic")
        snes.setFunction(self._function, self.f)
        snes.setJacobian(self._jacobian, self.state.A)
        snes.setTolerances(rtol=0, atol=0, stol=0, max_it=self.max_iterations)
        snes.setConvergenceTest(self._converged)
        ksp = snes.getKSP()
        ksp.setType("preonly")
        pc = ksp.getPC()
        pc.setType("lu")
        pc.setFactorSolverType(self.owner)
        if self.owner == "petsc":
            pc.setFactorOrdering("natural")  # numbered along the chain, multipliers after their nodes
        database, prefix = PETSc.Options(), "fc_"
        mine = {prefix + k: v for k, v in self.options.items() if not database.hasName(prefix + k)}
        for key, value in mine.items():
            database.setValue(key, value)
        snes.setOptionsPrefix(prefix)
        snes.setFromOptions()
        for key in mine:
            database.delValue(key)

    # --- callbacks ------------------------------------------------------------------------------
    def _function(self, snes, x, f):
        state = self.state
        self.evaluations += 1
        self.set(state.spread(x.array_r))
        rows = state.residual()
        f.array_w[:] = state.add_over_ranks(rows) * state.scale[: state.owned]

    def set(self, x):
        """Write the state that belongs to the solver's unknowns (with ghosts)."""
        state, n = self.state, self.state.local
        d = x * state.scale[:n]
        state.q[:n] = self.q0 + d
        d *= state.dynamic[:n]
        state.v[:n] = self.v0 + self.gamma * d
        state.a[:n] = self.beta * d

    def _jacobian(self, snes, x, A, P):
        if not (self.rebuild or self.full):
            return  # unchanged: PETSc keeps the factors too
        self.rebuild = False
        self.tangents += 1
        self.at_tangent = self.state.array.copy()
        self.build()

    def build(self):
        """The tangent at the present state, and the round-off of each row that goes with it."""
        state = self.state
        stiffness = np.abs(state.tangent(0.0, 0.0))
        noise = stiffness * np.abs(state.q[state.coo_cols]) * state.scale[state.coo_rows]
        noise = np.bincount(state.coo_rows, noise, state.total)
        self.roundoff = 1e-15 * state.add_over_ranks(noise)
        if not self.known:  # the first solve: nothing accepted yet gives a scale
            self.force_scale = self._forces()
        self._weigh()
        state.assemble(state.tangent(self.beta, self.gamma))

    def _forces(self) -> np.ndarray:
        """Largest sum of forces in each class of rows at the present state; collective."""
        state = self.state
        sizes = state.add_over_ranks(state.sums.g)
        return state.largest(np.where(state.algebraic[: state.owned], 0.0, sizes), len(self.force_scale))

    def _weigh(self):
        # A class without forces of its own (rotations of a body in free fall) must not ask for 0.
        scale = np.maximum(self.force_scale, 1e-6 * np.max(self.force_scale, initial=0.0))
        classes = scale[self.state.row_class[: self.state.owned]]
        self.weights = 1.0 / (self.tolerance * classes + self.roundoff + 1e-300)

    def _converged(self, snes, its, norms):
        value = float(np.max(np.abs(self.f.array_r) * self.weights, initial=0.0))
        if self.state.comm.size > 1:
            value = self.state.comm.allreduce(value, op=_max)
        last, self.excess = self.excess, value
        if not np.isfinite(value):
            return REASON.DIVERGED_FNORM_NAN
        if its and value <= 1.0:
            return REASON.CONVERGED_FNORM_ABS
        if its and not value < self.pace * last:
            self.full = True
        if its > 3 and value > 1e6 * last:
            return REASON.DIVERGED_DTOL
        return REASON.ITERATING

    # --- solving --------------------------------------------------------------------------------
    def solve(self, q0, v0, beta, gamma, guess, time, full=False) -> bool:
        """One step's equations. The state ends at the solution; ``False`` if there is none.

        Args:
            q0, v0: coordinates and rates at the end of the step for zero acceleration (local).
            beta, gamma: da/dq and dv/dq.
            guess: first guess of coordinates' increments and algebraic values (owned, unscaled).
            time: end of the step in s.
            full: a new tangent every iteration.
        """
        state = self.state
        self.q0, self.v0, self.beta, self.gamma = q0, v0, beta, gamma
        state.globals[:3] = time, gamma, beta
        self.full, self.excess, self.evaluations = full, np.inf, 0
        if len(getattr(self, "weights", ())) != state.owned:
            self._weigh()
        reason = self._attempt(guess)
        if reason == REASON.DIVERGED_LINEAR_SOLVE and self.owner == "petsc":
            logger.info("zero pivot without pivoting: the linear solver is MUMPS from now on")
            self.use("mumps")
            self.excess = np.inf
            reason = self._attempt(guess)
        if reason == REASON.DIVERGED_LINEAR_SOLVE:
            self.rebuild = True
        return reason > 0

    def use(self, package: str):
        """Factorise with another package from now on."""
        self.owner = package
        self._solver()
        self.rebuild = True

    def _attempt(self, guess):
        self.x.array[:] = guess / self.state.scale[: self.state.owned]
        self.snes.solve(None, self.x)
        self.iterations += self.snes.its
        return self.snes.reason

    def failure(self) -> str:
        """Which unknown is furthest from convergence; collective."""
        state, k = self.state, self.worst()
        mine = float(np.abs(self.f.array_r[k]) * self.weights[k]) if k >= 0 else -1.0
        number = int(state.numbers[k]) if k >= 0 else -1
        value, number = max(state.comm.allgather((mine if np.isfinite(mine) else np.inf, number)))
        block = next((b for b in state.blocks if number in b.numbers), None)
        return (f"the equations of {block.name if block else 'an unknown'} are {value:.1e} times "
                "their tolerance away from equilibrium")

    def worst(self) -> int:
        """Local number of the unknown whose row is furthest from convergence, on this rank."""
        return int(np.argmax(np.abs(self.f.array_r) * self.weights)) if self.state.owned else -1

    def accepted(self):
        """Bookkeeping after an accepted step: force scales and the age of the tangent."""
        scales = self._forces()
        self.known = True
        if np.any(scales > self.force_scale):
            self.force_scale = np.maximum(scales, self.force_scale)
            self._weigh()
        # A tangent is kept as long as its steps stay cheaper than the mean since it was built.
        steps = self.snes.its + 1
        if self.tangents != self.before:
            self.before, self.cost, self.since = self.tangents, self.price, 0
        self.cost += steps
        self.since += 1
        self.rebuild = self.rebuild or steps * self.since > self.cost

    def direct(self, rhs: np.ndarray) -> np.ndarray:
        """Solve with the present matrix by a pivoting direct solver; owned values."""
        ksp = PETSc.KSP().create(self.state.comm)
        ksp.setOperators(self.state.A)
        ksp.setType("preonly")
        ksp.getPC().setType("lu")
        ksp.getPC().setFactorSolverType("mumps")
        b, x = self.state.x.duplicate(), self.state.x.duplicate()
        b.array[:] = rhs
        ksp.solve(b, x)
        failed = ksp.reason < 0
        result = x.array_r.copy()
        for item in (ksp, b, x):
            item.destroy()
        if failed:
            raise SingularSystem("the linear solver failed")
        return result


def _max(a, b):
    return max(a, b) if a == a and b == b else float("nan")
