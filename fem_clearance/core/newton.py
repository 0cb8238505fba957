"""Newton's method for one step: PETSc SNES on a system's state.

The solver's unknowns are increments of the coordinates over ``q0`` (so that accelerations
``beta (q - q0)`` do not lose digits) and scaled values of the algebraic unknowns. The tangent and
its factors are kept until keeping them costs more than a new one. Convergence is judged row by row
(convergence.py). What SNES calls in each iteration is compiled: ``compiled/newton.c``.
"""

import logging
from contextlib import contextmanager

import numpy as np

from .._backend import PETSc
from . import linear_solvers as solvers
from .apart import join
from .blocks import holding
from .compiled.shared import Shared, communicator, number
from .convergence import ConvergenceCriterion, round_off
from .settings import SolverSettings
from .state import State

logger = logging.getLogger(__name__)

REASON = PETSc.SNES.ConvergedReason
#: the residual is no number; PETSc 3.25 renamed it
NAN = next(
    getattr(REASON, name)
    for name in ("DIVERGED_FUNCTION_NANORINF", "DIVERGED_FNORM_NAN")
    if hasattr(REASON, name)
)
#: part of the first guess's residual below which a solve that ran out of iterations may go on
NEAR = 1e-3


class NewtonSolver:
    """Solves the residual of a step.

    Args:
        state: the assembled system.
        settings: of the solution.
        matrix: one made by ``State.matrix``; default: the state's.
        apart: what slow unknowns do to others may be left out of the factors, see apart.py.

    Attributes:
        q0, v0: local coordinates and rates at the step's end for zero acceleration, set before it.
        x: the solver's unknowns; before a step the first guess.
        tolerances: what each row may leave.
        A: the matrix of the tangent.
        at_tangent: the state of the last tangent.
        iterations, tangents: totals over the run.
        c: numbers shared with the compiled functions, see ``fc_loop`` in newton.h.
    """

    #: whether ``solve_lean`` of newton.c may iterate; ``Equilibrium`` has its residual in Python
    lean = True
    #: an iteration must leave less than this part of the residual, or the tangent is renewed
    contraction = 0.3
    #: the same of warm films and those on condensed solids, where slow iterations do not become
    #: faster: less of both iterations and tangents (docs/performance.md)
    film_contraction = 0.1
    #: tangents from one estimate of the round-off to the next; a second tangent in one solve asks
    #: for one at once, and every fourth after it
    max_tangent_age = 16

    def __init__(
        self, state: State, settings: SolverSettings | None = None, matrix=None, apart: bool = False
    ):
        settings = settings or SolverSettings()
        self.state, self.A = state, state.A if matrix is None else matrix
        self.q0, self.v0 = np.zeros((2, state.local))
        self.error: BaseException | None = None
        self.options = dict(settings.options)
        self._read: set[str] = set()  # of the options
        self._apart = apart
        self.max_iterations = settings.max_iterations
        self.reason = self.code = 0  # why SNES ended the last solve; the error inside PETSc, if any
        self._ffi, self._lib = state.problem.module.ffi, state.problem.module.lib
        self.shared = Shared(state.problem.module)
        film = state.problem.condensed is not None or solvers.slow_blocks(state.problem)
        self.c = self.shared.numbers
        self.shared.set(
            time=0.0, gamma=0.0, beta=0.0, per_step=0.0, rebuild=1, full=0, built=0, its=0, since=0,
            scaled_residual=np.inf, first_residual=np.inf, iterations=0, cost=0.0, before=0,
            contraction=self.film_contraction if film else self.contraction, nan=int(NAN),
            dear=solvers.dear_tangents(state.problem), tangent_age=self.max_tangent_age,
            max_tangent_age=self.max_tangent_age, no_factors=int(REASON.DIVERGED_LINEAR_SOLVE),
            iterating=int(REASON.ITERATING), converged=int(REASON.CONVERGED_FNORM_ABS),
            diverged=int(REASON.DIVERGED_DTOL), exhausted=int(REASON.DIVERGED_MAX_IT),
        )  # fmt: skip
        self.x, self.f, self.dx = (state.problem.x.duplicate() for _ in range(3))
        self.x.zeroEntries()
        self.at_tangent = np.zeros(len(state.array))
        package = settings.solver
        self.linear_solver = solvers.suitable(state) if package == "auto" else package
        self.tolerances = ConvergenceCriterion(state, settings.newton_tolerance, self.shared)
        self._share()
        self.tolerances.weigh()
        self._solver(self.lean)

    def _share(self):
        """Show the compiled functions where everything is."""
        state, problem, module = self.state, self.state.problem, self.state.problem.module
        residual, tangent = problem.residual_kernels, problem.tangent_kernels
        work = max(residual.work, tangent.work, key=len)
        cast = module.ffi.cast
        self.x_handle, self.dx_handle = (cast("void *", z.handle) for z in (self.x, self.dx))
        self.shared.set(
            owned=state.owned, local=state.local, total=state.total, numbers=len(state.array),
            refresh=module.lib.fc_call_refresh,
        )  # fmt: skip
        self.shared.point(
            newton=module.ffi.new_handle(self), state=state.array, globals=state.globals,
            scale=state.scale, dynamic=problem.dynamic, noisy=round_off(problem),
            f_vector=self.f, dx_vector=self.dx,
            q0=self.q0, v0=self.v0, at_tangent=self.at_tangent,
        )  # fmt: skip
        self.shared.set(
            "forms", residuals=residual.count, tangents=tangent.count, outputs=len(residual.out),
            tangent_outputs=len(tangent.out), bulk_rows=problem.bulk_rows.table[0],
        )  # fmt: skip
        self.shared.point(
            "forms", residual=residual.table, tangent=tangent.table, work=work, out=residual.out,
            tangent_out=tangent.out, tangent_rows=problem.cell_rows,
            tangent_cols=problem.cell_cols, cells=problem.cells, rows=problem.sums.to,
            f=problem.sums.sums,
        )  # fmt: skip
        value, other, share = problem.complements
        self.shared.set("complements", count=len(value))
        self.shared.point("complements", value=value, other=other, share=share)
        if problem.coupled is not None:
            self.shared.set("forms", couplings=len(problem.coupled))
            self.shared.point("forms", coupled=problem.coupled)
        if problem.condensed is not None:
            T = problem.condensed.T
            self.shared.set(reduce=module.lib.fc_call_reduce)
            self.shared.set("followers", count=problem.condensed.count)
            self.shared.point("followers", first=T.indptr, leader=T.indices, share=T.data)
        if state.comm.size > 1:
            self.shared.point(
                "ranks", scatter=problem.scatter, local=problem.ghosted, owned=problem.x,
                # march.c sends five
                largest=np.zeros(max(5, len(problem.row_names))),
            )  # fmt: skip
            self.shared.set("ranks", comm=communicator(problem.module, state.comm))

    def _solver(self, in_parts: bool):
        snes = self.snes = PETSc.SNES().create(self.state.comm)
        chosen = any(n == "snes_type" or "linesearch" in n for n in self._given())
        # iterations of ``solve_lean`` in newton.c, or PETSc's own
        lean = self.lean and self.linear_solver != "iterative" and not chosen
        snes.setType("shell" if lean else "newtonls")
        if not lean:
            snes.getLineSearch().setType("basic")
        snes.setTolerances(rtol=0, atol=0, stol=0, max_it=self.max_iterations)
        self._attach(snes)
        ksp = snes.getKSP()
        snes.setOptionsPrefix(solvers.PREFIX)  # parts of a split preconditioner take it at once
        ksp.setOperators(self.A)
        watched = any("ksp" in name for name in self._given())  # it may need the whole matrix
        in_parts &= not watched
        package, given = self.linear_solver, self.options
        options = solvers.configure(ksp, self.state, package, in_parts, self._apart) | given
        self.c.price = solvers.PRICE[package]
        with solvers.in_database(options, self._read):
            snes.setFromOptions()
            if lean:
                ksp.setFromOptions()
        part = solvers.part_of(ksp)
        self._last_resort = self.linear_solver == "mumps" and part is None
        self.state.problem.entries.share(self.shared, part, solvers.left_out_of(ksp))
        self.c.pc = self._ffi.NULL
        if ksp.getType() == "preonly" and not watched:
            self.c.pc = self._ffi.cast("void *", ksp.getPC().handle)
        solvers.give_room(ksp, self.A, self.state.problem.condensed is not None)
        # solvers inside a preconditioner, and packages, read theirs in the first solve
        inside = self.linear_solver == "iterative" or ksp.getPC().getType() == "redundant"
        self._late = options if inside or self.options else {}
        self._unsure = True

    def _given(self) -> set[str]:
        """Options that the user gives, here or in PETSc's database."""
        return {*self.options, *PETSc.Options(solvers.PREFIX).getAll()}

    def _attach(self, snes):
        """Tell SNES what to call."""
        self.snes_handle, self.ksp_handle, matrix = (
            self._ffi.cast("void *", o.handle) for o in (snes, snes.getKSP(), self.A)
        )
        c = self.c
        c.ksp, c.matrix, c.direct = self.ksp_handle, matrix, 0
        if error := self._lib.fc_attach(c, self.snes_handle, snes.getType() == "shell"):
            raise PETSc.Error(error)

    # --- what outsiders may ask for -------------------------------------------------------------
    rebuild = number("rebuild", "Whether the next iteration makes a new tangent.")
    its = number("its", "Iterations of the last solve.")
    iterations = number("iterations", "Iterations so far.")
    tangents = number("built", "Tangents so far.")

    # --- equations ------------------------------------------------------------------------------
    def rows(self) -> np.ndarray:
        """Scaled residual of the owned rows at the present state; collective."""
        return self.state.add_over_ranks(self.state.residual() * self.state.scale)

    def set(self, x):
        """Write the state that belongs to the solver's unknowns (with ghosts)."""
        self._lib.fc_set(self.c, self._ffi.from_buffer("double[]", x))

    def build(self):
        """The tangent at the present state."""
        c, state = self.c, self.state
        state.globals[1:3] = c.gamma, c.beta
        state.follow()
        self.error = None
        self.check(self._lib.fc_build(c, self._ffi.cast("void *", self.A.handle)))

    def check(self, error: int) -> None:
        """Raise what a compiled function has met, if its error code is not 0."""
        if error:
            raise self.error or PETSc.Error(error)

    def refresh(self):
        """New round-off and weights for the present state; collective."""
        self.tolerances.refresh()
        self.c.tangent_age = 0

    def reduce(self):
        """Hand the tangents of followers on, for C."""
        self.state.problem.reduce()

    def scaled_residual(self) -> float:
        """Largest residual of the present state in units of what its row may leave; collective."""
        self.f.array_w[:] = self.rows()
        return self.tolerances.scaled_residual()

    # --- solving --------------------------------------------------------------------------------
    def factors(self, beta: float, gamma: float, per_step: float = 0.0) -> None:
        """Set da/dq and dv/dq of the coming steps, and 1 / their length."""
        self.c.beta, self.c.gamma, self.c.per_step = beta, gamma, per_step

    def rescaled(self) -> None:
        """The state's scale has changed."""
        self.rebuild = True
        self.tolerances.weigh()

    def guess(self, values: np.ndarray) -> None:
        """Set the first guess: increments of coordinates and algebraic values (owned, unscaled)."""
        self.x.array[:] = values / self.state.scale[: self.state.owned]

    def solve(self, time: float, full: bool = False) -> bool:
        """One step's equations from the guess in ``x``. The state ends at the solution; ``False``
        if there is none.

        Args:
            time: end of the step in s.
            full: a new tangent every iteration.
        """
        return self._finish(self._iterate(time, full), time, full)

    @property
    def by_hand(self) -> bool:
        """Whether the coming solve must be one of ``solve``'s: the solvers have options to read."""
        return bool(self._late) or self._unsure

    def finish(self, time: float, error: int) -> bool:
        """As ``solve``, after a compiled function has called the solver without success.

        Args:
            error: of PETSc's in that, 0 if there was none.
        """
        return self._finish(self._broken(error) if error else self.c.reason, time, False)

    def _finish(self, reason: int, time: float, full: bool) -> bool:
        """After a solve: whether there is a solution, perhaps by other means."""
        self.reason = reason
        if self._unsure and self.c.its:
            self._name_unread()
        if reason > 0:
            return True
        if reason == REASON.DIVERGED_LINEAR_SOLVE and not self._last_resort:
            if not join(self.snes.getKSP().getPC()):
                why = solvers.said(self.code) if self.code else solvers.FAILED[self.linear_solver]
                logger.info("%s: the linear solver is MUMPS from now on", why)
                self.use("mumps", False)
            self.rebuild = True
            reason = self.reason = self._iterate(time, self.c.full)
        self.rebuild |= reason == REASON.DIVERGED_LINEAR_SOLVE
        if reason == REASON.DIVERGED_MAX_IT and full and self._near():
            # laws that switch from cell to cell take a few iterations more than smooth ones
            reason = self.reason = self._iterate(time, full)
        if reason == REASON.DIVERGED_MAX_IT and full:
            return self.tolerances.excuse(self.f.array_r)
        return reason > 0

    def _near(self) -> bool:
        """Whether the last solve has come so far that it is worth as many iterations again."""
        return self.c.scaled_residual < NEAR * self.c.first_residual

    def _name_unread(self):
        """Say which options of the user's nothing has read, once all that could have."""
        self._unsure = False
        asked = any("snes" in name for name in self._given())
        self.c.direct = self.snes.getType() == "shell" and not asked
        for option in solvers.unread(self.options, self._read):
            logger.warning("%s: nothing reads the PETSc option %s", self.linear_solver, option)

    @contextmanager
    def patient(self, iterations: int):
        """Within, so many iterations are allowed: for solves that cannot be tried in shorter
        steps."""
        usual, before = self.snes.getTolerances()[3], self.max_iterations  # options win
        self.max_iterations = max(iterations, usual)
        self.snes.setTolerances(max_it=self.max_iterations)
        try:
            yield
        finally:
            self.max_iterations = before
            self.snes.setTolerances(max_it=usual)

    def _iterate(self, time: float, full: bool) -> int:
        """SNES's reason to end."""
        if self._late:
            return self._iterate_late(time, full)
        self.error, self.code = None, 0
        if error := self._lib.fc_solve(self.c, time, full, self.snes_handle, self.x_handle):
            return self._broken(error)
        return self.c.reason

    def _iterate_late(self, time: float, full: bool) -> int:
        """The same with options in PETSc's database, for what reads them in the first solve."""
        c, self.error, self.code = self.c, None, 0
        c.time, c.full, c.renewed, c.scaled_residual = time, full, full, np.inf
        try:
            with solvers.in_database(self._late, self._read):
                self.snes.solve(None, self.x)
        except PETSc.Error as error:
            return self._broken(error.ierr)
        c.its = self.snes.its
        if self.linear_solver != "iterative" and c.its:
            self._late = {}  # what is inside is made once, by the first iteration
        c.iterations += c.its
        return self.snes.reason

    def _broken(self, code: int) -> int:
        """After an error inside PETSc: a solver and vectors that know nothing of it, and the reason
        by which the solve has no solution; errors of our own functions are raised."""
        if self.error:
            raise self.error
        logger.debug("%s", solvers.said(code))
        at = self.x.array_r.copy()
        for item in (self.snes, self.x, self.f):  # vectors too: they may have been left locked
            item.destroy()
        self.x, self.f = self.state.problem.x.duplicate(), self.state.problem.x.duplicate()
        self.x.array[:] = at
        self._share()
        self.use(self.linear_solver)
        self.code, self.c.its = code, 0  # the new SNES has not been set up by a solve
        return int(REASON.DIVERGED_LINEAR_SOLVE)

    def destroy(self) -> None:
        """Free PETSc's objects now, not when Python collects; collective, the last call."""
        for item in (self.snes, self.x, self.f, self.dx):
            item.destroy()
        self.x_handle = self.dx_handle = self.snes_handle = self.ksp_handle = None  # C refuses them
        self.shared.release()

    def use(self, package: str, in_parts: bool = True):
        """Factorise with another package from now on, each rank its part where that is allowed."""
        self.linear_solver = package
        self._solver(in_parts and self.lean)
        self.rebuild = True

    def failure(self, remedy: str = "") -> str:
        """Why the last solve found no solution, which unknown is furthest from convergence, and
        what to do: ``remedy``, a clause, or otherwise the advice of the unknown's role;
        collective."""
        why, advice = self._why()
        return "; ".join(z for z in (why, remedy or advice) if z)

    def _why(self) -> tuple[str, str]:
        """Why there is no solution, and the advice of the unknown's role or an empty string."""
        if self.code:
            return solvers.said(self.code), ""
        value, number = self.tolerances.worst(self.f.array_r)
        block = holding(self.state.problem.blocks, number)
        who = f"the equations of {block.name if block else 'an unknown'}"
        if not np.isfinite(value):
            meaning, _, advice = (block.role.no_number if block else "").partition("; ")
            return f"{who} give no finite number" + f" ({meaning})" * bool(meaning), advice
        singular = self.reason == REASON.DIVERGED_LINEAR_SOLVE
        if value <= 1:  # the solver stopped at a point whose residual is small enough
            early = f"Newton's method stopped early (reason {self.reason} of SNES)"
            return "the tangent is singular" if singular else early, ""
        away = f"{who} are {value:.1e} times their tolerance away from equilibrium"
        return f"{away}, where the tangent is singular" if singular else away, ""

    def accepted(self):
        """Bookkeeping after an accepted step: force scales and the age of the tangent."""
        self.check(self._lib.fc_accepted(self.c))
