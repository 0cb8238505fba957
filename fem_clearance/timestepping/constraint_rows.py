"""What constraints ask of velocities, row by row.

Those on positions hide B v + dPhi/dt = 0, B = dPhi/dq; those on velocities say it themselves,
s(q, v, t) = 0, and their rows of B are ds/dv.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from .._backend import MPI
from ..core.compiled.shared import pointer
from ..core.evaluation import Sums
from ..core.levels import FAST
from ..core.newton import NewtonSolver
from ..core.state import State


class ConstraintRows:
    """B, its transpose and dPhi/dt (or s) at the present state, from the cells that hold
    constraints alone: B is read from their tangents, and kinds say nothing beyond their residual,
    by which rows on velocities are judged (they should be linear in v).

    ``core/compiled/velocities.c`` holds the same, for one rank without followers.

    Args:
        state: the assembled system.
        masses: inertia behind each constraint row, by local number.
        newton: the solver of steps whose velocities are held too.

    Attributes:
        x: a solution of ``VelocityConstraints``, local.
        w: numbers shared with the compiled functions, see ``fc_velocities`` in velocities.h.
    """

    def __init__(self, state: State, masses: np.ndarray, newton: NewtonSolver | None = None):
        self.state, self.masses = state, masses
        #: constraint rows by local number, without multipliers that stay zero
        self.rows = state.problem.constrained & (np.arange(state.total) < state.local)
        self.any = bool(state.comm.allreduce(bool(self.rows[: state.owned].any()), MPI.LOR))
        self.rated = state.problem.velocity_level
        #: dv/dq of the tangents in which B is found
        self.fast = FAST if state.comm.allreduce(bool(self.rated.any()), MPI.LOR) else 0.0
        self.x = np.zeros(state.local)
        self._keep: list[np.ndarray] = []
        self._lib: Any = None
        self.w: Any = SimpleNamespace()
        self.c = newton.c if newton else None
        module: Any = state.problem.module
        self._module = module
        if newton and state.problem.compiled_alone:
            self._lib, self.w = module.lib, module.ffi.new("fc_velocities *")

    def _pick(self, inertia: np.ndarray | bool = True):
        """Which entries of the cells' tangents are B, its transpose, and the mass matrix: there
        those that ``inertia`` says."""
        state = self.state
        rows, cols, inert = state.problem.coo_rows, state.problem.coo_cols, state.problem.algebraic
        self._B = np.flatnonzero(self.rows[rows] & ~inert[cols])
        self._Bt = np.flatnonzero(self.rows[cols] & ~inert[rows])
        self._M = np.flatnonzero(inertia & ~inert[rows] & ~inert[cols])
        self._rows_B, self._cols_B = rows[self._B], cols[self._B]
        self._rows_Bt, self._cols_Bt = rows[self._Bt], cols[self._Bt]
        self._unit_B = np.where(self.rated[self._rows_B], FAST, 1.0)
        self._entries, self._transposed = np.zeros(len(self._B)), np.zeros(len(self._Bt))
        self._sizes, self._drift = np.zeros(state.total), state.problem.drift_sums.sums
        nothing = np.zeros(0, int)
        self._used = nothing, nothing, np.zeros(0)  # entries of M that are not zero

    def _kernels(self) -> None:
        """Kernels of the components that hold constraints, and of those that hold velocities."""
        state = self.state
        holding, rated = (
            [k for k, mine in enumerate(state.problem.local_unknowns) if rows[mine].any()]
            for rows in (self.rows, self.rows & self.rated)
        )
        self._rates = state.problem.batches("residual", rated, lambda c: c.dofs)
        to = [np.zeros(0, int), *(state.problem.local_unknowns[k].ravel() for k in rated)]
        self._rate_sums = Sums(
            np.concatenate(to), state.total, self._rates.out, state.problem.module
        )
        self._from_B, self._from_Bt = self._B, self._Bt
        if state.problem.condensed is not None:  # what is handed on to them is of all components
            return
        self._tangents = state.problem.batches("tangent", holding, lambda c: c.dofs**2)
        place, start, at = np.full(len(state.problem.cells), -1), 0, 0
        for k, c in enumerate(state.components):
            if c.tangent is not None:
                size = c.count * c.dofs**2
                if k in holding:
                    place[start : start + size] = at + np.arange(size)
                    at += size
                start += size
        self._from_B, self._from_Bt = place[self._B], place[self._Bt]

    def _share(self) -> None:
        """Show the compiled functions where everything is."""
        state, w = self.state, self.w
        drift, drift_sums, rates = (
            state.problem.drift_kernels,
            state.problem.drift_sums,
            self._rates,
        )
        for name, z in (("tangent", self._tangents), ("drift", drift), ("rate", rates)):
            setattr(w, name, z.table)
            setattr(w, f"{name}s", z.count)
        w.fast, w.drift_outputs, w.rate_outputs = self.fast, len(drift.out), len(rates.out)
        left, rest, impulse, kept = np.zeros((4, state.total))
        self._show(
            w, cells=self._tangents.out, held=self.rows, rated=self.rated & self.rows,
            drift_out=drift.out, drift_rows=drift_sums.to, drift_sums=drift_sums.sums,
            rate_out=rates.out, rate_rows=self._rate_sums.to, rate_sums=self._rate_sums.sums,
            masses=self.masses, sizes=self._sizes, x=self.x, left=left, rest=rest,
            impulse=impulse, kept=kept,
        )  # fmt: skip
        for pattern, chosen, at, factor in (
            (w.B, self._B, self._from_B, 1 / self._unit_B),
            (w.transposed, self._Bt, self._from_Bt, np.ones(len(self._Bt))),
        ):
            row, col = state.problem.coo_rows[chosen], state.problem.coo_cols[chosen]
            self._show(pattern, **{"from": at}, row=row, col=col, factor=factor)
            self._show(pattern.entries, row=row.copy(), col=col.copy(), value=factor.copy())
            pattern.count = len(chosen)
        self._mass = np.zeros((2, len(self._M)), np.int32), np.zeros(len(self._M))
        self._show(w.M, row=self._mass[0][0], col=self._mass[0][1], value=self._mass[1])

    def _show(self, struct, **arrays: np.ndarray) -> None:
        """Let the compiled functions find arrays under these names."""
        for name, z in arrays.items():
            z = np.ascontiguousarray(z, float if z.dtype == float else np.int32)
            self._keep.append(z)
            setattr(struct, name, pointer(self._module.ffi, z))

    def _evaluate(self):
        """B, its transpose and explicit time derivatives at the present state."""
        state = self.state
        keep = state.globals[1:3].copy()
        if state.problem.condensed is None:
            state.globals[1:3] = self.fast, 0.0
            tangent = self._tangents.evaluate(self.state.address)
        else:
            tangent = state.tangent(0.0, self.fast)
        state.globals[1:3] = keep
        self._entries[:] = tangent[self._from_B] / self._unit_B
        self._transposed[:] = tangent[self._from_Bt]
        sizes = np.bincount(self._rows_B, np.abs(self._entries), state.total)
        self._sizes[: state.owned] = state.add_over_ranks(sizes)
        state.drift()

    def _violation(self, v: np.ndarray) -> tuple[np.ndarray, float]:
        """B v + dPhi/dt, or s, of owned rows, and the largest as a part of what the row makes of
        the fastest unknown: what is finer is round-off."""
        state, sums = self.state, self._motion(v) + self._drift
        if self.rated.any():
            sums = np.where(self.rated, self._held(v), sums)
        sums = state.add_over_ranks(sums) * self.rows[: state.owned]
        fastest = np.max(np.abs(v * state.problem.dynamic), initial=0.0)
        sizes = np.maximum(self._sizes[: state.owned], 1e-300)
        part = np.max(np.abs(sums) / sizes, initial=0.0)
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
        self._rates.evaluate(self.state.address)
        rows = self._rate_sums.add()
        state.v[:] = kept
        state.follow()
        return rows
