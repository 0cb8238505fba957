"""Factors of solids on several ranks: each rank factorises what lies inside its part by MUMPS.

As in substructures.py the matrix is the sum of the ranks' parts. With I what is inside a part and B
the border, x_I = K_II^-1 (b_I - K_IB x_B); the border's matrix is the sum of the ranks'
K_BB - K_BI K_II^-1 K_IB, which each of them factorises as a dense one. The responses K_II^-1 K_IB
are kept, so that a solution takes a single solve with K_II.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csr_matrix

from .._backend import PETSc
from .factors import PART
from .substructures import SharedBorder

#: how MUMPS scales: its own choice takes a quarter longer and leaves residuals 10 times as large; a
#: part that it calls singular for this is no loss, see ``NewtonSolver``
SCALED_BY_COLUMNS = 4


class InnerLU:
    """Factors of one matrix after another, of one pattern: what a preconditioner of type ``python``
    calls. ``factorise`` and solutions are collective.

    Args:
        first, columns: pattern of this rank's part by rows, in local numbers.
        shared: the border; all else that is known here is inside, and owned.
        owned: unknowns of this rank, which vectors have alone.
        direct: sets a solver up to factorise a matrix.
    """

    def __init__(
        self, first: np.ndarray, columns: np.ndarray, shared: SharedBorder, owned: int,
        direct: Callable[[PETSc.KSP, PETSc.Mat], None],
    ):  # fmt: skip
        size, border = len(first) - 1, shared.unknowns
        inside = np.setdiff1d(np.arange(size), border)
        self._inside, self._shared = inside, shared
        self._own = np.flatnonzero(border < owned)
        whole = csr_matrix((np.arange(len(columns)), columns, first), (size, size))
        #: of the border, what acts on what is inside
        self._acting = np.unique(whole[inside][:, border].indices)
        ib = whole[inside][:, border[self._acting]]
        self._ii, self._ib = _Block(whole[inside][:, inside]), _Block(ib.T.tocsr())
        self._bi, self._bb = (_Block(whole[border][:, z]) for z in (inside, border))
        self._matrix = self._ii.of_petsc()
        self._loads = PETSc.Mat().createTranspose(self._ib.of_petsc())  # sparse right sides
        self._responses = PETSc.Mat().createDense(
            ib.shape, array=np.zeros(ib.shape, order="F"), comm=PETSc.COMM_SELF
        )
        self._ksp = PETSc.KSP().create(PETSc.COMM_SELF)
        direct(self._ksp, self._matrix)
        self._inner.setMumpsIcntl(8, SCALED_BY_COLUMNS)
        self._b, self._x = self._matrix.createVecs()
        self._border: tuple[np.ndarray, np.ndarray] | None = None  # factors of its matrix

    def attach(self, pc: PETSc.PC, part: np.ndarray) -> None:
        """Let a preconditioner factorise these entries and solve; they live as long as it does."""
        self._part = part
        self._inner.setOptionsPrefix(pc.getOptionsPrefix())
        pc.setType("python")
        pc.setPythonContext(self)
        pc.setAttr(PART, part)

    # --- what PETSc calls -----------------------------------------------------------------------
    def setUp(self, pc: PETSc.PC) -> None:  # noqa: N802
        """The entries are new."""
        reason = PETSc.PC.FailedReason
        good = self.factorise(self._part)
        pc.setFailedReason(reason.NOERROR if good else reason.FACTOR_NUMERIC_ZEROPIVOT)

    def apply(self, pc: PETSc.PC, b: PETSc.Vec, x: PETSc.Vec) -> None:
        """x of A x = b."""
        self.solve(b.array_r, x.array_w)

    def applyTranspose(self, pc: PETSc.PC, b: PETSc.Vec, x: PETSc.Vec) -> None:  # noqa: N802
        """The same with the transposed matrix."""
        self.solve_transposed(b.array_r, x.array_w)

    # --- factors --------------------------------------------------------------------------------
    def factorise(self, values: np.ndarray) -> bool:
        """New factors for the entries of this rank's part; ``False``, on all ranks, where one of
        them has none."""
        for block in (self._ii, self._ib, self._bi, self._bb):
            block.take(values)
        size = len(self._shared.numbers)
        part = np.zeros(size * size + 1)
        part[-1] = not self._reduce_to_border(part[:-1].reshape(size, size))
        total = self._over_ranks(part)
        self._border = None
        if not total[-1] and np.isfinite(total).all():
            factors, pivots, info = lapack.dgetrf(total[:-1].reshape(size, size))
            if not info:
                self._border = factors, pivots
        return self._border is not None

    def _reduce_to_border(self, schur: np.ndarray) -> bool:
        """Factors of what is inside, its responses, and this rank's part of the border's matrix;
        whether there are any."""
        self._matrix.stateIncrease()
        self._ksp.setOperators(self._matrix)
        self._ksp.setUp()
        if self._ksp.getPC().getFailedReason():
            return False
        at = self._shared.at
        schur[np.ix_(at, at)] = self._bb.matrix.toarray()
        if len(self._acting):
            self._inner.matSolve(self._loads, self._responses)
            products = self._bi.matrix @ self._responses.getDenseArray(readonly=True)
            schur[np.ix_(at, at[self._acting])] -= products
        return True

    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        """Solution, of owned values, into ``x``; infinite without factors."""
        if self._border is None:
            x[:] = np.inf
            return
        inside, responses = self._inside, self._responses.getDenseArray(readonly=True)
        alone = self._solved(b[inside], self._inner.solve)
        border = self._solve_border(b, x, self._bi.matrix @ alone, 0)
        x[inside] = alone - responses @ border[self._acting]

    def solve_transposed(self, b: np.ndarray, x: np.ndarray) -> None:
        """The same with the transposed matrix."""
        if self._border is None:
            x[:] = np.inf
            return
        inside, responses = self._inside, self._responses.getDenseArray(readonly=True)
        taken = np.zeros(len(self._shared.at))
        taken[self._acting] = responses.T @ b[inside]
        border = self._solve_border(b, x, taken, 1)
        rest = b[inside] - self._bi.matrix.T @ border
        x[inside] = self._solved(rest, self._inner.solveTranspose)

    def _solve_border(self, b: np.ndarray, x: np.ndarray, taken: np.ndarray, how: int):
        """The border's unknowns, owned ones into ``x`` too: what is inside has taken some of their
        right side. ``how``: 1 for the transposed matrix."""
        assert self._border is not None
        at, own = self._shared.at, self._own
        part = np.zeros(len(self._shared.numbers))
        part[at] = -taken
        part[at[own]] += b[self._shared.unknowns[own]]
        result = lapack.dgetrs(*self._border, self._over_ranks(part), trans=how)[0][at]
        x[self._shared.unknowns[own]] = result[own]
        return result

    def _solved(self, b: np.ndarray, solve: Callable[[PETSc.Vec, PETSc.Vec], None]) -> np.ndarray:
        self._b.array_w[:] = b
        solve(self._b, self._x)
        return self._x.array_r

    @property
    def _inner(self) -> PETSc.Mat:
        """Factors of what is inside."""
        return self._ksp.getPC().getFactorMatrix()

    def _over_ranks(self, part: np.ndarray) -> np.ndarray:
        total = np.empty_like(part)
        self._shared.comm.Allreduce(part, total)
        return total


class _Block:
    """Some rows and columns of a matrix.

    Args:
        places: where their entries stand among all of the matrix.
    """

    def __init__(self, places: csr_matrix):
        places.sort_indices()
        self._places, self.matrix = places.data, places.astype(float)

    def take(self, values: np.ndarray) -> None:
        """Take these entries of the matrix over."""
        np.take(values, self._places, out=self.matrix.data)

    def of_petsc(self) -> PETSc.Mat:
        """A matrix of PETSc's with the same memory."""
        A = self.matrix
        pattern = [z.astype(PETSc.IntType, copy=False) for z in (A.indptr, A.indices)]
        return PETSc.Mat().createAIJWithArrays(A.shape, (*pattern, A.data), comm=PETSc.COMM_SELF)
