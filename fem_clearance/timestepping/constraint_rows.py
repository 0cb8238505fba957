"""The conditions that constraints impose on velocities, row by row.

Constraints on positions imply B v + dPhi/dt = 0 with B = dPhi/dq. Constraints on velocities state
the condition themselves, s(q, v, t) = 0, and their rows of B are ds/dv.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._backend import MPI
from ..core.compiled.shared import fill, pointer
from ..core.evaluation import Sums
from ..core.levels import FAST
from ..core.newton import NewtonSolver


class ConstraintRows:
    """B, its transpose and dPhi/dt (or s) at the present state, evaluated only on cells that hold
    constraints. B is read from their tangents, so that a kind only has to state its residual;
    rows on velocities should be linear in v.

    They are evaluated in ``core/compiled/velocities.c``.

    Args:
        newton: the solver of the system.
        masses: inertia on which each constraint row acts, by local number; read at each call.

    Attributes:
        x: a solution of ``VelocityConstraints``, local.
        turned, shown: what forces see in the velocities of directors that turn within a step, and
            in all, local; see ``rows.turned`` and ``rows.seen``.
        left: residual of the rows at the last evaluation: in those of constraints
            B v + dPhi/dt (or s), owned.
        w: numbers shared with the compiled functions, see ``fc_velocities`` in velocities.h.
    """

    def __init__(self, newton: NewtonSolver, masses: np.ndarray):
        self.newton, self.masses = newton, masses
        state = self.state = newton.state
        #: constraint rows by local number, without multipliers that stay zero
        self.rows = state.problem.constrained & (np.arange(state.total) < state.local)
        self.any = bool(state.comm.allreduce(bool(self.rows[: state.owned].any()), MPI.LOR))
        self.rated = state.problem.velocity_level
        #: dv/dq of the tangents in which B is found
        self.fast = FAST if state.comm.allreduce(bool(self.rated.any()), MPI.LOR) else 0.0
        self.x, self.turned, self.shown = np.zeros((3, state.local))
        self.left, self._sizes = np.zeros((2, state.total))
        self._keep: list[np.ndarray] = []
        module: Any = state.problem.module
        self._ffi, self._lib = module.ffi, module.lib
        self.c, self.w = newton.c, module.ffi.new("fc_velocities *")
        self._B_now = module.ffi.addressof(self.w, "B", "entries")
        self._M_now = module.ffi.addressof(self.w, "M")
        self._factor, self._product = np.zeros((2, state.total))
        self._product_at = [pointer(self._ffi, z) for z in (self._factor, self._product)]

    def _pick(self, inertia: np.ndarray | bool = True):
        """Which entries of the cells' tangents are B, its transpose, and the mass matrix (of
        these only those that ``inertia`` selects)."""
        problem = self.state.problem
        rows, cols, inert = problem.coo_rows, problem.coo_cols, problem.algebraic
        self._B = np.flatnonzero(self.rows[rows] & ~inert[cols])
        self._Bt = np.flatnonzero(self.rows[cols] & ~inert[rows])
        self._M = np.flatnonzero(inertia & ~inert[rows] & ~inert[cols]).astype(np.int32)
        self._rows_B, self._cols_B, self._cols_Bt = rows[self._B], cols[self._B], cols[self._Bt]
        self._unit_B = np.where(self.rated[self._rows_B], FAST, 1.0)

    def _kernels(self) -> None:
        """Kernels of the components that hold constraints, and of those that hold velocities."""
        state, problem = self.state, self.state.problem
        holding, rated = self._holding(self.rows), self._holding(self.rows & self.rated)
        self._rates = problem.batches("residual", rated, lambda c: c.dofs)
        to = [np.zeros(0, int), *(problem.local_unknowns[k].ravel() for k in rated)]
        self._rate_sums = Sums(np.concatenate(to), state.total, self._rates.out, problem.module)
        if problem.condensed is not None:  # entries of all components are condensed
            self._tangents, self._cells = problem.tangent_kernels, problem.cells
            self._from_B, self._from_Bt = self._B, self._Bt
        else:
            self._tangents = problem.batches("tangent", holding, lambda c: c.dofs**2)
            place, self._cells = self._places(holding), self._tangents.out
            self._from_B, self._from_Bt = place[self._B], place[self._Bt]
        self._share()

    def _holding(self, rows: np.ndarray) -> list[int]:
        """Numbers of the components whose cells have some of these rows."""
        unknowns = self.state.problem.local_unknowns
        return [k for k, mine in enumerate(unknowns) if rows[mine].any()]

    def _places(self, holding: list[int]) -> np.ndarray:
        """Where the entries of some components' tangents lie among these alone; -1 of others."""
        problem = self.state.problem
        place, at = np.full(problem.entries.count, -1), 0
        start = problem.entries.start
        for k, c in enumerate(self.state.components):
            if c.tangent is not None and not problem.fills(c):
                size = c.count * c.dofs**2
                if k in holding:
                    place[start : start + size] = at + np.arange(size)
                    at += size
                start += size
        return place

    def _share(self) -> None:
        """Pass the addresses of all arrays to the compiled functions."""
        state, problem, w = self.state, self.state.problem, self.w
        drift, drift_sums, rates = problem.drift_kernels, problem.drift_sums, self._rates
        for name, z in (("tangent", self._tangents), ("drift", drift)):
            setattr(w, name, z.table)
            setattr(w, f"{name}s", z.count)
        w.fast, w.drift_outputs = self.fast, len(drift.out)
        w.rate.batch, w.rate.count, w.rate.outputs = rates.table, rates.count, len(rates.out)
        impulse, kept, before = np.zeros((3, state.total))
        self._show(
            w.rate, out=rates.out, rows=self._rate_sums.to, sums=self._rate_sums.sums, kept=before,
            held=self.rated & self.rows,
        )  # fmt: skip
        self._show(
            w, cells=self._cells, held=self.rows, drift_out=drift.out, drift_rows=drift_sums.to,
            drift_sums=drift_sums.sums, masses=self.masses, sizes=self._sizes, x=self.x,
            turned=self.turned, shown=self.shown, left=self.left, impulse=impulse, kept=kept,
        )  # fmt: skip
        for pattern, chosen, at, factor in (
            (w.B, self._B, self._from_B, 1 / self._unit_B),
            (w.transposed, self._Bt, self._from_Bt, np.ones(len(self._Bt))),
        ):
            row, col = problem.coo_rows[chosen], problem.coo_cols[chosen]
            self._show(pattern, **{"from": at}, row=row, col=col, factor=factor)
            self._show(pattern.entries, row=row.copy(), col=col.copy(), value=factor.copy())
            pattern.count = len(chosen)
        self._mass = np.zeros((2, len(self._M)), np.int32), np.zeros(len(self._M))
        self._show(w.M, row=self._mass[0][0], col=self._mass[0][1], value=self._mass[1])

    def _show(self, struct, **arrays: np.ndarray) -> None:
        """Let the compiled functions find arrays under these names."""
        self._keep += fill(self._ffi, struct, arrays)

    def _keep_mass(self, mass: np.ndarray) -> None:
        """Entries of the mass matrix between unknowns that are not zero."""
        problem, n = self.state.problem, self.state.local
        rows, cols = problem.coo_rows[self._M], problem.coo_cols[self._M]
        some = (mass != 0) & (rows < n) & (cols < n)
        self.w.M.count = count = int(some.sum())
        numbers, values = self._mass
        numbers[:, :count], values[:count] = (rows[some], cols[some]), mass[some]

    def _evaluate(self):
        """B, its transpose and explicit time derivatives at the present state; collective."""
        self.newton.check(self._lib.fc_constraints(self.c, self.w))

    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Entries of B and of its transpose where ``_pick`` has found them; straight after
        ``_evaluate``."""
        return self._cells[self._from_B] / self._unit_B, self._cells[self._from_Bt]

    def _times(self, matrix, x: np.ndarray) -> np.ndarray:
        """Product of B or M as they are now (``_B_now``, ``_M_now``) with local values; not yet
        added over ranks."""
        self._factor[: len(x)] = x
        self._product[:] = 0.0
        self._lib.fc_multiply(matrix, 1.0, *self._product_at)
        return self._product.copy()
