"""Accelerations of a constrained system from its forces: a constant mass matrix, multipliers."""

from __future__ import annotations

import numpy as np

from ..._backend import MPI, PETSc
from ...core.blocks import holding
from ...core.evaluation import Sums
from ...errors import InputError
from ..velocity_constraints import VelocityConstraints

#: size below which entries of a mass matrix are round-off, relative to its diagonal
ROUND = 1e-13


class Inertia(VelocityConstraints):
    """Solves M a + B^T lam = f, B a = g at the present positions, and moves velocities onto their
    constraints with the same matrix.

    M is read once, without its round-off: a lumped one is diagonal.

    Raises:
        InputError: of ``prepare``: a system that cannot be stepped explicitly.
    """

    def _prepare(self):
        state = self.state
        K, C, M = state.derivatives()
        self._refuse(K, C, M)
        rows, cols = state.problem.coo_rows, state.problem.coo_cols
        size = self._sum_of(M, rows == cols)
        size = np.append(state.spread(size), np.zeros(state.total - state.local))
        large = np.abs(M) > ROUND * np.sqrt(size[rows] * size[cols])
        self._pick(large)
        self.mass = M[self._M]
        full = state.comm.allreduce(bool(np.any(rows[self._M] != cols[self._M])), MPI.LOR)
        #: masses of the owned unknowns, if the matrix is diagonal
        self.diagonal = None if full or self.any else size[: state.owned]
        self._kernels()
        self._keep_mass(self.mass)
        self._entries_used = np.concatenate([self._M, self._B, self._Bt])
        self._coo = np.zeros(len(self._entries_used) + state.owned)
        # multipliers are numbered after what they hold: after lumped masses there is little fill
        simple = state.comm.size == 1 and not (full and state.problem.bulk)
        self._solver(self._pattern(), "petsc" if simple else "mumps")

    def _kernels(self) -> None:
        """Also the residual kernels of cells that hold constraints, without those of solids."""
        super()._kernels()
        state, holding = self.state, self._holding(self.rows)
        self._violations = state.problem.batches("residual", holding, lambda c: c.dofs)
        to = [np.zeros(0, int), *(state.problem.local_unknowns[k].ravel() for k in holding)]
        self._sums = Sums(
            np.concatenate(to), state.total, self._violations.out, state.problem.module
        )

    def places(self) -> np.ndarray:
        """Phi at the present positions, in the owned constraint rows; collective."""
        state = self.state
        if state.problem.condensed is not None:
            rows = state.residual()
        else:
            self._violations.evaluate(state.address)
            rows = self._sums.add()
        return state.add_over_ranks(rows) * self.rows[: state.owned]

    def _sum_of(self, values: np.ndarray, where: np.ndarray) -> np.ndarray:
        """Owned sums of some entries by row; collective."""
        state = self.state
        return state.add_over_ranks(
            np.bincount(state.problem.coo_rows[where], values[where], state.total)
        )

    def _pattern(self) -> PETSc.Mat:
        """A matrix of the entries in use and, after them, the diagonal."""
        state, used = self.state, self._entries_used
        diagonal = np.arange(state.owned)
        places = (
            np.concatenate([z[used], diagonal])
            for z in (state.problem.coo_rows, state.problem.coo_cols)
        )
        numbers = np.where(np.arange(state.total) < state.local, state.numbers, -1)
        matrix = PETSc.Mat().create(state.comm)
        matrix.setSizes([[state.owned, state.size], [state.owned, state.size]])
        matrix.setType("aij")
        matrix.setPreallocationCOO(*(numbers[z].astype(PETSc.IntType) for z in places))
        return matrix

    def _assemble(self):
        """[[M, (m B)^T], [m B, 0]], see ``VelocityConstraints``."""
        if self.diagonal is not None:
            return
        m, b = len(self._M), len(self._B)
        self._coo[:m] = self.mass
        if self.any:
            entries, transposed = self._entries()
            self._coo[m : m + b] = entries * self.masses[self._rows_B]
            transposed = transposed * self.masses[self._cols_Bt]
            self._coo[m + b : len(self._entries_used)] = transposed
        assert self._matrix is not None
        self._matrix.setValuesCOO(self._coo, PETSc.InsertMode.INSERT_VALUES)

    def _solve(self, rhs: np.ndarray) -> np.ndarray:
        if self.diagonal is not None:
            return self.state.spread(rhs / self.diagonal)
        return super()._solve(rhs)

    def check(self, M: np.ndarray) -> None:
        """Compare the mass matrix in use with the present one; collective.

        Raises:
            InputError: it has changed with the motion.
        """
        self.prepare()
        change = np.max(np.abs(M[self._M] - self.mass), initial=0.0)
        changed = bool(change > 1e-9 * np.max(np.abs(self.mass), initial=0.0))
        if self.state.comm.allreduce(changed, MPI.LOR):
            raise InputError(
                "central_difference: the inertia of this system changes with its motion, which "
                "explicit steps do not follow; use generalized_alpha or bathe."
            )

    # --- used in each step ----------------------------------------------------------------------
    def renew(self) -> None:
        """B, dPhi/dt and the matrix at the present positions; collective."""
        self.prepare()
        if self.any:
            self._evaluate()
        self._assemble()
        self._made()

    def accelerations(self, forces: np.ndarray, wanted: np.ndarray | float = 0.0) -> np.ndarray:
        """Accelerations, and multipliers in their rows, by local number; collective.

        Args:
            forces: f, owned.
            wanted: g in the constraint rows, owned.
        """
        state, n = self.state, self.state.owned
        rhs = forces * state.problem.dynamic[:n] + wanted * (self.masses * self.rows)[:n]
        result = self._solve(rhs)
        result[self.rows[: state.local]] *= self.masses[: state.local][self.rows[: state.local]]
        return result

    def momentum(self, v: np.ndarray) -> np.ndarray:
        """M v, owned; ``v`` by local number. Collective."""
        self.prepare()
        if self.diagonal is not None:
            return self.diagonal * v[: self.state.owned]
        return super().momentum(v)

    def rates(self, v: np.ndarray, drift: bool = True) -> np.ndarray:
        """B v, and dPhi/dt with ``drift``, in the owned constraint rows; ``v`` by local number."""
        state = self.state
        if not self.any:
            return np.zeros(state.owned)
        sums = self._times(self._B_now, v)
        if drift:
            sums += state.problem.drift_sums.sums
        return state.add_over_ranks(sums) * self.rows[: state.owned]

    def part(self, violation: np.ndarray) -> float:
        """Largest violation of a constraint on positions, relative to the size of its row times the
        largest coordinate; collective."""
        state, n = self.state, self.state.owned
        held = self.rows[:n]
        sizes = np.maximum(self._sizes[:n][held], 1e-300)
        numbers = np.array(
            [
                np.max(np.abs(violation[:n][held]) / sizes, initial=0.0),
                np.max(
                    np.abs(state.q * state.problem.dynamic) + state.problem.offset_magnitude,
                    initial=0.0,
                ),
            ]
        )
        if state.comm.size > 1:
            state.comm.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
        return float(numbers[0] / max(numbers[1], 1e-300))

    # --- what cannot be stepped explicitly ------------------------------------------------------
    def _refuse(self, K, C, M):
        state, n = self.state, self.state.owned
        rows, cols, held = state.problem.coo_rows, state.problem.coo_cols, self.rows
        unknown = (state.problem.algebraic & ~held)[:n]
        self._name(
            unknown, "{} is found from an equation without inertia (a film's pressure, the stretch "
            "of plane stress, a massless liner): explicit steps cannot follow it; use "
            "generalized_alpha or bathe",
        )  # fmt: skip
        own = held[rows] & held[cols] & (K != 0)
        rated = held[rows] & ((C != 0) | (M != 0))
        bad = self._sum_of(np.ones(len(rows)), own | rated) > 0
        self._name(
            bad, "{} is no constraint on positions alone (it holds rates, or yields): explicit "
            "steps cannot impose it; use generalized_alpha or bathe",
        )  # fmt: skip
        # a director of a flat body may have none: constraints say how it moves
        inertia = self._sum_of(M, rows == cols)
        moved = self._sum_of(np.abs(K), held[cols]) > 0
        self._name(
            (inertia <= 0) & ~moved & ~state.problem.algebraic[:n],
            "{} has no inertia, and explicit steps need one for every coordinate; give it mass, or "
            "use generalized_alpha or bathe",
        )  # fmt: skip

    def _name(self, bad: np.ndarray, sentence: str):
        """Raise on all ranks if an owned unknown is bad."""
        state = self.state
        first = int(state.numbers[np.argmax(bad)]) if bad.any() else state.size
        first = state.comm.allreduce(first, MPI.MIN)
        if first < state.size:
            block = holding(state.problem.blocks, first)
            who = (block.constraint or block.name) if block else "an unknown"
            raise InputError(f"central_difference: {sentence.format(who)}.")
