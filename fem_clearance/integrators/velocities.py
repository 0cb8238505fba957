"""What constraints ask of velocities.

Those on positions hide B v + dPhi/dt = 0, B = dPhi/dq; those on velocities say it themselves,
s(q, v, t) = 0, and their rows of B are ds/dv.
"""

from __future__ import annotations

import logging

import numpy as np

from .._backend import MPI, PETSc
from ..core import solvers
from ..core.levels import FAST
from ..core.loop import Sums
from ..core.state import State
from ..errors import SingularSystem

logger = logging.getLogger(__name__)


class VelocityConstraints:
    """Moves velocities onto the constraints with the least change of kinetic energy.

    B is read from the tangent's constraint rows and the mass matrix M from its derivative by
    accelerations: the kinds say nothing beyond their residual, by which rows on velocities are
    judged (they should be linear in v). Algebraic unknowns that are no
    constraints (a film's pressures) stay out of it.

    Args:
        state: the assembled system.
        masses: inertia behind each constraint row, by local number; read at each call.
    """

    #: weight of the inertia, by which damping and stiffness drop out of the tangent
    heavy = FAST**2
    #: part of the fastest unknown's effect that a violation may keep
    tolerance = 1e-15
    #: part of what a row makes of all coordinates' sizes that is round-off of its value
    round_off = 2.0**-52

    def __init__(self, state: State, masses: np.ndarray):
        self.state, self.masses = state, masses
        #: constraint rows by local number, without multipliers that stay zero
        self.rows = state.constrained & (np.arange(state.total) < state.local)
        self.any = bool(state.comm.allreduce(bool(self.rows[: state.owned].any()), MPI.LOR))
        self.rated = state.velocity_level
        self._matrix: PETSc.Mat | None = None

    def _prepare(self):
        """The matrix and its solver, at the first use."""
        state = self.state
        self._matrix, self._ksp = state.matrix(), PETSc.KSP().create(state.comm)
        self._b, self._x = state.x.duplicate(), state.x.duplicate()
        self._coo = np.zeros(len(state.coo_rows))
        self._pick()
        self._rate_rows()
        # few solves: on several ranks MUMPS's distributed factors do
        alone = state.comm.size == 1 and solvers.suitable(state) == "petsc"
        self._use("petsc" if alone else "mumps")

    def _pick(self, inertia: np.ndarray | bool = True):
        """Which entries of the cells' tangents are B, its transpose, and the mass matrix: there
        those that ``inertia`` says."""
        state = self.state
        rows, cols, inert = state.coo_rows, state.coo_cols, state.algebraic
        self._B = np.flatnonzero(self.rows[rows] & ~inert[cols])
        self._Bt = np.flatnonzero(self.rows[cols] & ~inert[rows])
        self._M = np.flatnonzero(inertia & ~inert[rows] & ~inert[cols])
        self._rows_B, self._cols_B = rows[self._B], cols[self._B]
        self._unit_B = np.where(self.rated[self._rows_B], FAST, 1.0)

    def _rate_rows(self):
        """Kernels of the components that hold velocities."""
        state, rated = self.state, self.rated
        holding = [k for k, z in enumerate(state.local_unknowns) if rated[z].any()]
        self._rates = state.batches("residual", holding, lambda c: c.dofs)
        to = [np.zeros(0, int), *(state.local_unknowns[k].ravel() for k in holding)]
        self._rate_sums = Sums(np.concatenate(to), state.total, self._rates.out, state.module)

    def destroy(self) -> None:
        """Free PETSc's objects; collective."""
        if self._matrix is not None:
            for item in (self._ksp, self._matrix, self._b, self._x):
                item.destroy()
            self._matrix = None

    def _use(self, package: str):
        self._ksp.reset()
        self._ksp.setOperators(self._matrix)
        if package == "mumps":
            solvers.direct(self._ksp, self._matrix)
        else:
            solvers.configure(self._ksp, self.state, package)
        self.package = package

    def violation(self) -> np.ndarray:
        """B v + dPhi/dt (or s) of the owned constraint rows at the present state, 0 in others."""
        if not self.any:
            return np.zeros(self.state.owned)
        self._evaluate()
        return self._violation(self.state.v)[0]

    def _evaluate(self):
        """Tangent and explicit time derivatives at the present state."""
        state = self.state
        if self._matrix is None:
            self._prepare()
        keep = state.globals[1:3].copy()
        self._tangent = self._derivatives()
        self._entries = self._tangent[self._B] / self._unit_B
        sizes = np.bincount(self._rows_B, np.abs(self._entries), state.total)
        self._sizes = np.maximum(state.add_over_ranks(sizes), 1e-300)
        state.globals[1:3] = keep
        self._drift = state.drift()

    def _derivatives(self) -> np.ndarray:
        """Cell tangents in COO order, inertia times ``heavy``, what depends on v times ``FAST``."""
        return self.state.tangent(self.heavy, FAST)

    def _violation(self, v: np.ndarray) -> tuple[np.ndarray, float]:
        """B v + dPhi/dt, or s, of owned rows, and the largest as a part of what the row makes of
        the fastest unknown: what is finer is round-off."""
        state, sums = self.state, self._motion(v) + self._drift
        if self.rated.any():
            sums = np.where(self.rated, self._held(v), sums)
        sums = state.add_over_ranks(sums) * self.rows[: state.owned]
        fastest = np.max(np.abs(v * state.dynamic), initial=0.0)
        part = np.max(np.abs(sums) / self._sizes, initial=0.0)
        if state.comm.size > 1:
            numbers = np.array([part, fastest])
            state.comm.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
            part, fastest = numbers
        return sums, float(part / max(fastest, 1e-300))

    def _motion(self, v: np.ndarray, rated: bool = False) -> np.ndarray:
        """B v, by default of the rows on positions; local, not yet added over ranks."""
        entries = self._entries * (rated | ~self.rated[self._rows_B])
        return np.bincount(self._rows_B, entries * v[self._cols_B], self.state.total)

    def _held(self, v: np.ndarray) -> np.ndarray:
        """s of the rows on velocities; local, not yet added over ranks."""
        state = self.state
        kept = state.v.copy()
        state.v[:] = v
        state.follow()
        self._rates.evaluate()
        rows = self._rate_sums.add()
        state.v[:] = kept
        state.follow()
        return rows

    def surplus(self) -> tuple[np.ndarray, np.ndarray]:
        """What the present velocities have too much, w with B (v - w) + dPhi/dt = 0 and
        M w = B^T eta, and -eta (impulses as multipliers take them); local, each 0 in the other's
        rows. Collective.

        Raises:
            SingularSystem: constraints that depend on each other.
        """
        state, n = self.state, self.state.local
        total = np.zeros(n)
        if not self.any:
            return total, total
        self._evaluate()
        rows, v = self.rows[:n], state.v.copy()
        violation, part = self._violation(v)
        assembled = False
        for _ in range(4):
            if part <= self.tolerance:
                break
            if not assembled:
                self._assemble()
                assembled = True
            total += self._solve(violation * self.masses[: state.owned])
            v[:n] = state.v[:n] - total * state.dynamic[:n]
            before = part
            violation, part = self._violation(v)
            if not part < 0.1 * before:
                break
        if part > 1e-8:
            if self.package == "mumps":
                raise SingularSystem("constraints on velocities cannot be met")
            self._to_mumps()
            return self.surplus()
        return total * state.dynamic[:n], -total * self.masses[:n] * rows

    def impose(self, level: int = logging.DEBUG) -> float:
        """Change the present velocities as little as possible (in kinetic energy) so that the
        constraints hold; returns the largest change of a coordinate's rate. Collective.

        Drivers that start with a speed set the bodies moving; velocities that already agree stay as
        they are.

        Args:
            level: of the log line about a change.

        Raises:
            SingularSystem: see ``surplus``.
        """
        state, (surplus, _) = self.state, self.surplus()
        state.v[: state.local] -= surplus
        numbers = np.array([np.max(np.abs(z), initial=0.0) for z in (surplus, state.v)])
        state.comm.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
        largest, fastest = numbers
        if largest > 1e-9 * max(1.0, fastest):
            logger.log(
                level, "velocities changed by up to %.3g to agree with joints and drivers", largest
            )
        return float(largest)

    def prescribed(self, rates: np.ndarray, share: np.ndarray | float = 1.0) -> np.ndarray:
        """The part w of ``rates`` (local) that constraints prescribe: B w = B rates with the least
        kinetic energy; local. Collective.

        Args:
            share: part of B rates that is meant, of each row by local number.
        """
        state, n = self.state, self.state.local
        if not self.any:
            return np.zeros(n)
        self._evaluate()
        self._assemble()
        values = np.append(rates, np.zeros(state.total - n))
        change = state.add_over_ranks(self._motion(values, rated=True) * self.rows)
        share = np.broadcast_to(share, state.total)[: state.owned]
        return self._solve(change * share * self.masses[: state.owned]) * state.dynamic[:n]

    # --- positions ------------------------------------------------------------------------------
    def openness(self) -> tuple[np.ndarray, float]:
        """Values of the owned constraint rows on positions, 0 in others, and the largest in units
        of its round-off. Collective."""
        state = self.state
        self._evaluate()
        values = state.add_over_ranks(state.residual() * (self.rows & ~self.rated))
        sizes = np.abs(self._entries) * (np.abs(state.q) + state.hidden)[self._cols_B]
        sizes = state.add_over_ranks(np.bincount(self._rows_B, sizes, state.total))
        largest = np.array(np.max(np.abs(values) / np.maximum(sizes, 1e-300), initial=0.0))
        state.comm.Allreduce(MPI.IN_PLACE, largest, MPI.MAX)
        return values, float(largest) / self.round_off

    def closing(self, values: np.ndarray) -> np.ndarray:
        """The change z of coordinates with B z = ``values`` that is least by mass, as after
        ``openness``; local. Collective."""
        self._assemble()
        n = self.state.local
        return self._solve(values * self.masses[: self.state.owned]) * self.state.dynamic[:n]

    def _assemble(self):
        """[[M, (m B)^T], [m B, 0]] with the constraints scaled by the mass behind them."""
        state, coo, tangent = self.state, self._coo, self._tangent
        coo[:] = 0.0
        coo[self._M] = tangent[self._M] / self.heavy
        coo[self._B] = self._entries * self.masses[self._rows_B]
        coo[self._Bt] = tangent[self._Bt] * self.masses[state.coo_cols[self._Bt]]
        assert self._matrix is not None
        state.fill(self._matrix, coo, (state.algebraic & ~self.rows)[: state.owned])

    def _solve(self, rhs: np.ndarray) -> np.ndarray:
        self._b.array[:] = rhs
        self._ksp.solve(self._b, self._x)
        failed = self._ksp.reason < 0 or not np.isfinite(self._x.norm())
        if failed and self.package == "petsc":
            self._to_mumps()
            return self._solve(rhs)
        if failed:
            raise SingularSystem("the linear solver failed")
        return self.state.spread(self._x.array_r.copy())

    def _to_mumps(self):
        logger.info("zero pivot without pivoting: velocities are constrained by MUMPS from now on")
        self._use("mumps")
