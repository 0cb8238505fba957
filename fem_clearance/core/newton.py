"""Newton's method for one step: PETSc SNES on a system's state.

The solver's unknowns are increments of the coordinates over ``q0`` (so that accelerations
``beta (q - q0)`` do not lose digits) and scaled values of the algebraic unknowns. The tangent and
its factors are kept until keeping them costs more than a new one. Convergence is judged row by row.

SNES calls the functions of ``loop.c``; ``_function``, ``_jacobian`` and ``_converged`` below are
the same in Python, for ``System(loop="python")`` and for reading.
"""

import logging
import weakref
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from .._backend import MPI, PETSc
from . import solvers
from .kind import PER_STEP
from .loop import Shared
from .state import State

logger = logging.getLogger(__name__)

REASON = PETSc.SNES.ConvergedReason
#: the residual is no number; PETSc 3.25 renamed it
NAN = next(
    getattr(REASON, name)
    for name in ("DIVERGED_FUNCTION_NANORINF", "DIVERGED_FNORM_NAN")
    if hasattr(REASON, name)
)


def _number(name: str, meaning: str):
    """A number that the compiled functions share."""
    return property(
        lambda self: getattr(self.c, name),
        lambda self, value: setattr(self.c, name, value),
        doc=meaning,
    )


class Newton:
    """Solves the residual of a step.

    Args:
        state: the assembled system.
        tolerance: largest residual of a row, relative to the largest force of its class lately.
        max_iterations: before a step is given up.
        options: PETSc options of this solver (without prefix), as ``{"ksp_type": "gmres"}``; those
            in PETSc's own database under the prefix ``fc_`` win.
        solver: ``"auto"`` or one of ``solvers.PACKAGES``.

    Attributes:
        q0, v0: coordinates and rates at the end of the step for zero acceleration (local), set by
            the integrator.
        x: the solver's unknowns; before a step the first guess.
        force_scale: largest sum of forces met in each class of rows, fading slowly.
        noise: round-off of each owned row, unscaled.
        at_tangent: the state of the last tangent.
        iterations, tangents: totals over the run.
        c: numbers shared with the compiled functions, see ``fc_loop`` in loop.h.
    """

    #: an iteration must leave less than this part of the residual, or the tangent is renewed
    pace = 0.3
    #: accepted steps after which the largest force met counts for half
    memory = 100
    #: tangents from one estimate of the round-off to the next; a second tangent in one solve asks
    #: for one at once, and every fourth after it
    oldest = 16

    def __init__(
        self, state: State, tolerance=1e-8, max_iterations=15, options=None, solver="auto"
    ):
        self.state, self.tolerance = state, tolerance
        self.force_scale, self.known = np.zeros(len(state.row_names)), False
        self.noise, self.weights = np.zeros((2, state.owned))
        self.q0, self.v0 = np.zeros((2, state.local))
        self.error: BaseException | None = None
        self.options = dict(options or {})
        self.max_iterations, self.asked = max_iterations, solver
        self.native = False  # whether SNES calls compiled functions
        self._lib: Any = state.module.lib if state.module is not None else None
        self._alone = self._lib is not None and state.comm.size == 1
        self.shared = Shared(state.module)
        self.c = self.shared.numbers
        self.shared.set(
            time=0.0, gamma=0.0, beta=0.0, per_step=0.0, rebuild=1, full=0, built=0, excess=np.inf,
            pace=self.pace, age=self.oldest, oldest=self.oldest, nan=int(NAN), its=0,
            iterations=0, steps=0, memory=self.memory,
            iterating=int(REASON.ITERATING), converged=int(REASON.CONVERGED_FNORM_ABS),
            diverged=int(REASON.DIVERGED_DTOL),
        )  # fmt: skip
        self.renew()

    def renew(self):
        """SNES and its vectors, again after the matrix's pattern changed."""
        state, comm = self.state, self.state.comm
        self.x, self.f = state.x.duplicate(), state.x.duplicate()
        self.x.zeroEntries()
        #: a number of each rank
        self.one_each = PETSc.Vec().createMPI((1, comm.size), comm=comm)
        self.at_tangent = np.zeros(len(state.array))
        self.owner = solvers.suitable(state) if self.asked == "auto" else self.asked
        self._share()
        self._weigh()
        self._solver()
        self.rebuild = True
        self.c.cost, self.c.since, self.c.before = 0.0, 0, self.tangents

    def _share(self):
        """Show the compiled functions where everything is."""
        state, module = self.state, self.state.module
        if module is None:
            return
        residual, tangent = state.residual_kernels, state.tangent_kernels
        work = max(residual.work, tangent.work, key=len)
        self.x_handle = module.ffi.cast("void *", self.x.handle)
        self.shared.set(
            owned=state.owned, local=state.local, total=state.total, numbers=len(state.array),
            residuals=residual.count, tangents=tangent.count, outputs=len(residual.out),
            entries=len(state.cells), kept=len(state.coo) - state.owned,
            refresh=module.lib.fc_refresh, tolerance=self.tolerance,
            classes=len(self.force_scale), reduce=module.lib.fc_reduce,
        )  # fmt: skip
        self.shared.point(
            newton=module.ffi.new_handle(self), residual=residual.table, tangent=tangent.table,
            state=state.array, globals=state.globals, work=work, out=residual.out,
            cells=state.cells, rows=state.sums.to, coo_rows=state.coo_rows,
            coo_cols=state.coo_cols, f=state.sums.sums, g=np.zeros(state.total), coo=state.coo,
            scale=state.scale, dynamic=state.dynamic,
            measured=state.measured, floors=state.floors, strict=state.strict, f_vector=self.f,
            q0=self.q0, v0=self.v0,
            at_tangent=self.at_tangent, row_class=state.row_class, noise=self.noise,
            force_scale=self.force_scale, weights=self.weights,
        )  # fmt: skip
        if state.kept is not None:
            self.shared.point(which=state.kept)
        if state.followers is not None:
            T = state.followers.T
            self.shared.set(followers=state.followers.count)
            self.shared.point(first=T.indptr, leader=T.indices, share=T.data)
        if state.comm.size > 1:
            self.shared.point(ghosted=state.ghosted, scatter=state.scatter, one_each=self.one_each)

    def _solver(self):
        snes = self.snes = PETSc.SNES().create(self.state.comm)
        snes.setType("newtonls")
        snes.getLineSearch().setType("basic")
        snes.setTolerances(rtol=0, atol=0, stol=0, max_it=self.max_iterations)
        self._attach(snes)
        options = solvers.configure(snes.getKSP(), self.state, self.owner) | self.options
        self.c.price = solvers.PRICE[self.owner]
        snes.setOptionsPrefix(solvers.PREFIX)
        with solvers.in_database(options):
            snes.setFromOptions()
        bordered = self.state.followers is not None
        solvers.give_room(snes.getKSP(), snes.getJacobian()[0], bordered)
        # solvers inside a preconditioner read theirs when they are made, in a solve
        inside = self.owner == "iterative" or snes.getKSP().getPC().getType() == "redundant"
        self._late = options if inside else {}

    def _attach(self, snes):
        module, A = self.state.module, self.state.A
        self.native = module is not None
        if module is None:
            me = weakref.proxy(self)  # PETSc's references are invisible to Python's collector
            snes.setFunction(partial(Newton._function, me), self.f)
            snes.setJacobian(partial(Newton._jacobian, me), A)
            snes.setConvergenceTest(partial(Newton._converged, me))
            return
        self._snes, *others = (module.ffi.cast("void *", o.handle) for o in (snes, self.f, A))
        error = module.lib.fc_attach(self.c, self._snes, *others)
        if error:
            raise PETSc.Error(error)

    # --- what outsiders may ask for -------------------------------------------------------------
    rebuild = _number("rebuild", "Whether the next iteration makes a new tangent.")
    its = _number("its", "Iterations of the last solve.")
    iterations = _number("iterations", "Iterations so far.")
    tangents = _number("built", "Tangents so far.")

    # --- callbacks ------------------------------------------------------------------------------
    def _function(self, snes, x, f):
        state = self.state
        self.set(state.spread(x.array_r))
        rows = state.residual() * state.scale
        f.array_w[:] = state.add_over_ranks(rows)

    def set(self, x):
        """Write the state that belongs to the solver's unknowns (with ghosts)."""
        c, state, n = self.c, self.state, self.state.local
        state.globals[:3] = c.time, c.gamma, c.beta
        state.globals[PER_STEP] = c.per_step
        d = x * state.scale[:n]
        state.q[:n] = self.q0 + d
        d *= state.dynamic[:n]
        state.v[:n] = self.v0 + c.gamma * d
        state.a[:n] = c.beta * d

    def _jacobian(self, snes, x, A, P):
        c = self.c
        if not (c.rebuild or c.full):
            return  # unchanged: PETSc keeps the factors too
        c.age += 1
        if c.renewed % 4 == 1 or c.age > c.oldest:
            self.refresh()
        c.rebuild = 0
        c.renewed += 1
        c.built += 1
        self.at_tangent[:] = self.state.array
        self.build()

    def build(self):
        """The tangent at the present state."""
        c, state = self.c, self.state
        if state.module is None:
            state.assemble(state.tangent(c.beta, c.gamma))
            return
        state.globals[1:3] = c.gamma, c.beta
        state.follow()
        self.error = None
        if error := self._lib.fc_build(c, state.module.ffi.cast("void *", state.A.handle)):
            raise self.error or PETSc.Error(error)

    def refresh(self):
        """Round-off of the rows at the present state, and the weights that follow; collective.

        A row's round-off is that of what it is the difference of, its stiffness times coordinates,
        and its damping times rates: constraints leave coordinates uncertain by their round-off,
        and rates by gamma' times that. It changes slowly and costs a second tangent: it is not
        renewed with every tangent.
        """
        state, c = self.state, self.c
        sizes = np.abs(state.q) + state.hidden
        tangent = state.tangent(0.0, c.gamma)
        if state.module is not None:
            pointer = state.module.ffi.from_buffer("double[]", sizes)
            self._lib.fc_stiffness(c, pointer)
            noise = self.shared.keep["g"]
        else:
            noise = np.bincount(
                state.coo_rows, np.abs(tangent) * sizes[state.coo_cols], state.total
            )
        noise = 1e-15 * state.add_over_ranks(noise)
        # where a law has no number (a film that is pierced) the last one stays
        self.noise[:] = np.where(np.isfinite(noise), noise, self.noise)
        state.globals[1:3] = c.gamma, c.beta
        c.age = 0
        # nothing accepted yet gives a scale: the first solve, or the first force there ever was
        if not (self.known or c.steps) or not np.any(self.force_scale):
            forces = self._forces()
            self.force_scale[:] = np.where(np.isfinite(forces), forces, self.force_scale)
        self._weigh()

    def reduce(self):
        """Hand the tangents of followers on, for C."""
        self.state.reduce()

    def _forces(self) -> np.ndarray:
        """Largest sum of forces in each class of rows at the present state; collective."""
        state = self.state
        sizes = state.add_over_ranks(state.sizes())
        n = state.owned
        return state.largest(state.measured[:n] * sizes * state.scale[:n], len(self.force_scale))

    def _stronger(self) -> bool:
        """Whether a class has met a larger force than ever; collective."""
        forces = self._forces()
        stronger = bool(np.any(forces > self.force_scale))
        np.maximum(forces, self.force_scale, out=self.force_scale)
        return stronger

    def _weigh(self):
        if self._lib is not None:
            self._lib.fc_weigh(self.c)
            return
        state, n = self.state, self.state.owned
        # A class without forces of its own (rotations of a body in free fall) must not ask for 0.
        least = 1e-6 * np.max(self.force_scale, initial=0.0)
        scale = np.maximum(self.force_scale, np.where(state.floors > 0, state.floors, least))
        scale *= state.strict
        allowed = self.tolerance * scale[state.row_class[:n]] + self.noise * state.scale[:n]
        self.weights[:] = 1.0 / (allowed + 1e-300)

    def _converged(self, snes, its, norms):
        c, value = self.c, float(np.max(np.abs(self.f.array_r) * self.weights, initial=0.0))
        if self.state.comm.size > 1:
            value = self.state.comm.allreduce(value, op=MPI.MAX)
        last, c.excess = c.excess, value
        if not np.isfinite(norms[2]):  # a maximum loses a NaN, this sum does not
            return NAN
        if its and value <= 1.0:
            return REASON.CONVERGED_FNORM_ABS
        if its > 3 and value > 1e6 * last:
            return REASON.DIVERGED_DTOL
        if its and not value < self.pace * last:
            c.full = 1
        return REASON.ITERATING

    def imbalance(self) -> float:
        """Largest residual of the present state in units of what its row may leave; collective."""
        state, n = self.state, self.state.owned
        rows = state.add_over_ranks(state.residual() * state.scale)
        value = float(np.max(np.abs(rows[:n]) * self.weights, initial=0.0))
        return state.comm.allreduce(value, op=MPI.MAX) if state.comm.size > 1 else value

    # --- solving --------------------------------------------------------------------------------
    def factors(self, beta: float, gamma: float, per_step: float = 0.0) -> None:
        """Set da/dq and dv/dq of the coming steps, and 1 / their length."""
        self.c.beta, self.c.gamma, self.c.per_step = beta, gamma, per_step

    def rescaled(self) -> None:
        """The state's scale has changed."""
        self.rebuild = True
        self._weigh()

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
        reason = self._iterate(time, full)
        if reason > 0:
            return True
        if reason == REASON.DIVERGED_LINEAR_SOLVE and self.owner != "mumps":
            logger.info(
                "%s: the linear solver is MUMPS from now on",
                "zero pivot without pivoting"
                if self.owner == "petsc"
                else "the iterative solver did not converge",
            )
            self.use("mumps")
            reason = self._iterate(time, self.c.full)
        if reason == REASON.DIVERGED_LINEAR_SOLVE:
            self.rebuild = True
        return reason > 0

    @contextmanager
    def patient(self, iterations: int):
        """Within, so many iterations are allowed: for solves that cannot be tried in shorter
        steps."""
        usual, self.max_iterations = self.max_iterations, max(iterations, self.max_iterations)
        self.snes.setTolerances(max_it=self.max_iterations)
        try:
            yield
        finally:
            self.max_iterations = usual
            self.snes.setTolerances(max_it=usual)

    def _iterate(self, time: float, full: bool) -> int:
        """SNES's reason to end."""
        c, self.error = self.c, None
        if self.native and not self._late:
            if error := self._lib.fc_solve(c, time, full, self._snes, self.x_handle):
                raise self.error or PETSc.Error(error)
            return c.reason
        c.time, c.full, c.renewed, c.excess = time, full, full, np.inf
        try:
            if self._late:
                with solvers.in_database(self._late):
                    self.snes.solve(None, self.x)
                if self.owner != "iterative":
                    self._late = {}
            else:
                self.snes.solve(None, self.x)
        except PETSc.Error as error:
            raise self.error or error from None
        c.its = self.snes.its
        c.iterations += c.its
        return self.snes.reason

    def destroy(self) -> None:
        """Free PETSc's objects now, not when Python collects; collective, the last call."""
        for item in (self.snes, self.x, self.f, self.one_each):
            item.destroy()
        self.x_handle = self._snes = None  # C refuses these
        self.shared.release()

    def use(self, package: str):
        """Factorise with another package from now on."""
        self.owner = package
        self._solver()
        self.rebuild = True

    def failure(self) -> str:
        """Which unknown is furthest from convergence; collective."""
        state, k = self.state, self.worst()
        mine = float(np.abs(self.f.array_r[k]) * self.weights[k]) if k >= 0 else -1.0
        number = int(state.numbers[k]) if k >= 0 else -1
        value, number = max(state.comm.allgather((mine if np.isfinite(mine) else np.inf, number)))
        block = next((b for b in state.blocks if number in b.numbers), None)
        return (
            f"the equations of {block.name if block else 'an unknown'} are {value:.1e} times "
            "their tolerance away from equilibrium"
        )

    def worst(self) -> int:
        """Local number of the unknown whose row is furthest from convergence, on this rank."""
        return int(np.argmax(np.abs(self.f.array_r) * self.weights)) if self.state.owned else -1

    def accepted(self):
        """Bookkeeping after an accepted step: force scales and the age of the tangent."""
        c = self.c
        if self._alone:
            self._lib.fc_accepted(c)
            return
        c.steps += 1
        fade = c.steps % c.memory == 0
        if fade:  # the force of an impact must not loosen the tolerance for ever
            self.force_scale *= 0.5
        if self._stronger() or fade:
            self._weigh()
        # A tangent is kept as long as its steps stay cheaper than the mean since it was built.
        steps = c.its + 1
        if c.built != c.before:
            c.before, c.cost, c.since = c.built, c.price, 0
        c.cost += steps
        c.since += 1
        if steps * c.since > c.cost:
            c.rebuild = 1
