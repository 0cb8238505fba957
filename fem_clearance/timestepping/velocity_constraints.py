"""Velocities that satisfy the constraints."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np

from .._backend import MPI, PETSc
from ..core import linear_solvers as solvers
from ..core.levels import FAST
from ..core.newton import NewtonSolver
from ..errors import SingularSystem
from .constraint_rows import ConstraintRows

logger = logging.getLogger(__name__)


class VelocityConstraints(ConstraintRows):
    """Moves velocities onto the constraints with the least change of kinetic energy.

    Solved is M w = B^T eta, B (v - w) + dPhi/dt = 0, with the mass matrix M, the tangent's
    derivative by accelerations. B is that of the present state; the matrix of both is factorised
    anew (and M read) only when what is kept of it needs too many iterations. Algebraic unknowns
    that are no constraints (a film's pressures) stay out of it.

    Args:
        newton: the solver of the steps; its tolerances are those of the velocities too.
        masses: inertia behind each constraint row, by local number; read at each call.

    Attributes:
        x: the last solution, w of coordinates and -eta over the masses of constraints, local.
        at_factors: the state of the last factors.
        gained: kinetic energy that the velocities of this rank have gained by ``take``, J, (1,).
    """

    #: weight of the inertia, beside which damping and stiffness are negligible in the tangent
    mass_weight = FAST**2
    #: largest violation, relative to the effect of the fastest unknown
    tolerance = 1e-15
    #: largest residual of M w = B^T eta, relative to the convergence criterion of the rows
    share = 0.1
    #: violation above which constraints are considered to contradict each other
    failure = 1e-8
    #: most iterations with kept factors
    most = 10
    #: most iterations that close positions; two or three suffice for violations that a run accepts
    closings = 5
    #: cost of factors in iterations; a fixed number, so that runs are repeatable
    price = 40.0
    #: round-off of the value of a row, relative to the sum of the sizes of its terms
    round_off = 2.0**-52

    def __init__(self, newton: NewtonSolver, masses: np.ndarray):
        super().__init__(newton, masses)
        self._matrix: PETSc.Mat | None = None
        self.at_factors = np.zeros(len(self.state.array))
        self.gained = np.zeros(1)
        self.w.tolerance, self.w.share, self.w.most = self.tolerance, self.share, self.most

    def prepare(self) -> None:
        """Make the matrix and its solver, once; collective."""
        if self._matrix is None:
            self._prepare()

    def _prepare(self):
        state = self.state
        self._pick()
        self._kernels()
        package = "petsc" if solvers.suitable(state) == "petsc" else "mumps"
        if self.newton.linear_solver == "iterative":  # too large for factors
            package = "iterative"
        self._solver(state.problem.matrix(), package)

    def _solver(self, matrix: PETSc.Mat, package: str) -> None:
        """The matrix with its solver and vectors."""
        state = self.state
        self._matrix, self._ksp = matrix, PETSc.KSP().create(state.comm)
        self._b, self._x = state.problem.x.duplicate(), state.problem.x.duplicate()
        self.w.b, self.w.solution = (self._handle(z) for z in (self._b, self._x))
        self._use(package)

    def _handle(self, item: PETSc.Object):
        return self._ffi.cast("void *", item.handle)

    def destroy(self) -> None:
        """Free PETSc's objects; collective. The object cannot be used afterwards."""
        if self._matrix is not None:
            for item in (self._ksp, self._matrix, self._b, self._x):
                item.destroy()
            self._matrix = None
        self.c = None  # C refuses this

    def _use(self, package: str):
        self._ksp.reset()
        self._ksp.setOperators(self._matrix)
        self._late: dict = {}
        if package == "petsc" and solvers.configure(self._ksp, self.state, package, in_parts=True):
            package = "mumps"  # the whole on each rank would be worth no more: factors are rare
        if package == "mumps":
            solvers.direct(self._ksp, self._matrix)
        elif package == "iterative":
            self._late = solvers.configure_inertia(self._ksp, self.state)
        self.package, self.w.factors = package, 0
        self._part = solvers.part_of(self._ksp)
        self.w.pc = self._handle(self._ksp.getPC())

    def forget(self) -> None:
        """Discard the kept factors."""
        self.w.factors = 0

    def violation(self) -> np.ndarray:
        """B v + dPhi/dt (or s) of the owned constraint rows at the present state, 0 in others."""
        if not self.any:
            return np.zeros(self.state.owned)
        self.prepare()
        self.newton.check(self._lib.fc_violation(self.c, self.w))
        return (self.left * self.rows)[: self.state.owned]

    # --- excess of the velocities ---------------------------------------------------------------
    def correction(self) -> tuple[np.ndarray, np.ndarray]:
        """Excess w of the present velocities, with B (v - w) + dPhi/dt = 0 and M w = B^T eta, and
        -eta (impulses with the sign of multipliers); local, each 0 in the other's rows.
        Collective.

        Raises:
            SingularSystem: constraints that depend on each other.
        """
        n, self.x[:] = self.state.local, 0.0
        if self.any:
            self.settle(self.improve)
        return self.x * self.state.problem.dynamic[:n], -self.x * self.masses[:n] * self.rows[:n]

    def settle(self, attempt: Callable[[], bool], tried: bool = False) -> None:
        """Make an attempt that calls ``improve``, and repeat it with new factors if it needs them.

        Args:
            attempt: makes the attempt and returns whether it needs new factors.
            tried: the first attempt has just been made, and needs them.

        Raises:
            SingularSystem: as of ``correction``.
        """
        self.prepare()
        self.w.accepted = 4.0
        if not tried and not attempt():
            return
        # what remains with new factors is round-off
        self.w.accepted = self.failure / self.tolerance
        self.renew()
        if not attempt():
            return
        if self.package != "mumps":
            self._to_mumps()
            self.renew()
            if not attempt():
                return
        raise SingularSystem("constraints on velocities cannot be met")

    def improve(self, ratio: float = 0.0) -> bool:
        """Improve ``x`` towards the excess of the present velocities; returns whether new factors
        are needed. Collective; within ``settle``.

        Args:
            ratio: factor by which the residual of M w = B^T eta becomes a force, 1/s.
        """
        self.newton.check(self._lib.fc_improve(self.c, self.w, ratio))
        return bool(self.w.asked)

    def renew(self) -> None:
        """Factors of the present state; collective."""
        self.prepare()
        self._evaluate()
        self._assemble()
        with solvers.in_database(self._late, set()):
            self._ksp.setUp()
        self._solve(np.zeros(self.state.owned))  # a zero pivot shows now
        self._made()

    def _made(self) -> None:
        """Factors are new."""
        w, self.x[:] = self.w, 0.0
        self.at_factors[:] = self.state.array
        w.factors, w.cost, w.since = 1, self.price, 0

    def project(self, level: int = logging.DEBUG) -> float:
        """Change the present velocities as little as possible (in kinetic energy) so that the
        constraints hold; returns the largest change of a coordinate's rate. Collective.

        Drivers that start with a speed set the bodies in motion; velocities that already agree are
        not changed.

        Args:
            level: of the log line about a change.

        Raises:
            SingularSystem: see ``correction``.
        """
        state, (surplus, _) = self.state, self.correction()
        self.take(surplus)
        numbers = np.array([np.max(np.abs(z), initial=0.0) for z in (surplus, state.v)])
        state.comm.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
        largest, fastest = numbers
        if largest > 1e-9 * max(1.0, fastest):
            logger.log(
                level, "velocities changed by up to %.3g to agree with joints and drivers", largest
            )
        return float(largest)

    def take(self, w: np.ndarray) -> None:
        """Subtract w (local) from the present velocities. Collective."""
        state, n = self.state, self.state.owned
        if self.any:
            self.gained -= w[:n] @ self.momentum(state.v[: state.local] - w / 2)
        state.v[: state.local] -= w

    def momentum(self, v: np.ndarray) -> np.ndarray:
        """M v, owned; ``v`` by local number. Collective."""
        return self.state.add_over_ranks(self._times(self._M_now, v))

    def prescribed(self, rates: np.ndarray, share: np.ndarray | float = 1.0) -> np.ndarray:
        """The part w of ``rates`` (local) that constraints prescribe: B w = B rates with the least
        kinetic energy; local. Collective.

        Args:
            share: fraction of B rates to be used in each row, by local number.
        """
        state, n = self.state, self.state.local
        if not self.any:
            return np.zeros(n)
        self.renew()
        change = state.add_over_ranks(self._times(self._B_now, rates) * self.rows)
        share = np.broadcast_to(share, state.total)[: state.owned]
        return self._solve(change * share * self.masses[: state.owned]) * state.problem.dynamic[:n]

    # --- positions ------------------------------------------------------------------------------
    def close(self) -> float:
        """Move the present coordinates onto the constraints on positions, with the least change by
        mass; returns the largest change. Collective.

        A violation d at the start (directors given with nine digits, a loop of joints that nearly
        closes) would otherwise be closed by the first steps of length h, with accelerations of the
        order d / h^2. Constraints that are closed to round-off are left as they are.
        """
        state, n = self.state, self.state.local
        if not self.any:
            return 0.0
        start, last, before = state.q[:n].copy(), state.q[:n].copy(), np.inf
        for k in range(self.closings + 1):
            open_by, excess = self.openness()
            if not excess < 0.5 * before:  # round-off, or a singular pose that cannot be closed
                self._place(last)
                break
            before = excess
            last[:] = state.q[:n]
            if excess <= 1 or k == self.closings:
                break
            try:
                self._place(state.q[:n] - self.closing(open_by))
            except SingularSystem:
                break
        moved = np.array(np.max(np.abs(state.q[:n] - start), initial=0.0))
        state.comm.Allreduce(MPI.IN_PLACE, moved, MPI.MAX)
        if moved > 1e-9:
            logger.info("initial coordinates were changed by up to %.3g to close the joints", moved)
        return float(moved)

    def _place(self, q: np.ndarray) -> None:
        """Set other coordinates (local)."""
        self.state.q[: self.state.local] = q
        self.state.q_n[:] = self.state.q  # turned angles count from here
        self.state.follow()

    def openness(self) -> tuple[np.ndarray, float]:
        """Values of the owned constraint rows on positions, 0 in others, and the largest in units
        of its round-off. Collective."""
        state = self.state
        self.prepare()
        self._evaluate()
        offsets = state.problem.offset_magnitude
        sizes = np.abs(self._entries()[0]) * (np.abs(state.q) + offsets)[self._cols_B]
        sizes = state.add_over_ranks(np.bincount(self._rows_B, sizes, state.total))
        values = state.add_over_ranks(state.residual() * (self.rows & ~self.rated))
        largest = np.array(np.max(np.abs(values) / np.maximum(sizes, 1e-300), initial=0.0))
        state.comm.Allreduce(MPI.IN_PLACE, largest, MPI.MAX)
        return values, float(largest) / self.round_off

    def closing(self, values: np.ndarray) -> np.ndarray:
        """The change z of coordinates with B z = ``values`` that is least by mass, as after
        ``openness``; local. Collective."""
        self.renew()
        n = self.state.local
        return (
            self._solve(values * self.masses[: self.state.owned]) * self.state.problem.dynamic[:n]
        )

    # --- the matrix -----------------------------------------------------------------------------
    def _assemble(self):
        """[[M, (m B)^T], [m B, 0]] with the constraints scaled by the mass behind them, and M."""
        state, keep = self.state, self.state.globals[1:3].copy()
        entries, transposed = self._entries()
        mass = state.tangent(self.mass_weight, 0.0)[self._M] / self.mass_weight
        state.globals[1:3] = keep
        self._keep_mass(mass)
        coo = np.zeros(state.problem.entries.count)  # of large solids too long to keep
        coo[self._M] = mass
        coo[self._B] = entries * self.masses[self._rows_B]
        coo[self._Bt] = transposed * self.masses[self._cols_Bt]
        assert self._matrix is not None
        rest = (state.problem.algebraic & ~self.rows)[: state.owned]
        self._entered = coo, rest
        if self._part is None:
            state.problem.fill(self._matrix, coo, rest)
        else:
            state.problem.entries.fill_part(self._part, coo, rest)
            self._matrix.stateIncrease()

    def _solve(self, rhs: np.ndarray) -> np.ndarray:
        self._b.array[:] = rhs
        self._ksp.solve(self._b, self._x)
        failed = self._ksp.reason < 0 or not np.isfinite(self._x.norm())
        if failed and self.package != "mumps":
            self._to_mumps()
            return self._solve(rhs)
        if failed:
            raise SingularSystem("the linear solver failed")
        return self.state.spread(self._x.array_r.copy())

    def _to_mumps(self):
        why = "zero pivot without pivoting"
        if self.package == "iterative":
            why = "the iterative solver did not converge"
        logger.info("%s: velocities are constrained by MUMPS from now on", why)
        in_parts = self._part is not None
        self._use("mumps")
        if in_parts:  # the matrix itself has not been filled
            assert self._matrix is not None
            self.state.problem.fill(self._matrix, *self._entered)
