"""Factors of solids on several ranks: each rank factorises what lies inside its part by MUMPS.

As in substructures.py the matrix is the sum of the ranks' parts. With I what is inside a part and B
the border, x_I = K_II^-1 (b_I - K_IB x_B); the border's matrix is the sum of the ranks'
K_BB - K_BI K_II^-1 K_IB, which each of them factorises as a dense one. The responses K_II^-1 K_IB
are kept, so that a solution takes a single solve with K_II.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from .._backend import PETSc
from .python_factors import PythonFactors
from .submatrix import Direct, FactorisedSubmatrix, Submatrix
from .substructures import DenseBorder, SharedBorder

#: how MUMPS scales: its own choice takes a quarter longer and leaves residuals 10 times as large; a
#: part that it calls singular for this is no loss, see ``NewtonSolver``
SCALED_BY_COLUMNS = 4


class InnerLU(PythonFactors):
    """Factors of one matrix after another, of one pattern. ``factorise`` and solutions are
    collective.

    Args:
        first, columns: pattern of this rank's part by rows, in local numbers.
        shared: the border; all else that is known here is inside, and owned.
        owned: unknowns of this rank, which vectors have alone.
        direct: sets a solver up to factorise a matrix.
    """

    def __init__(
        self, first: np.ndarray, columns: np.ndarray, shared: SharedBorder, owned: int,
        direct: Direct,
    ):  # fmt: skip
        size, border = len(first) - 1, shared.unknowns
        inside = np.setdiff1d(np.arange(size), border)
        self._inside, self.shared, self.owned = inside, shared, owned
        self._own = np.flatnonzero(border < owned)
        whole = csr_matrix((np.arange(len(columns)), columns, first), (size, size))
        #: of the border, what acts on what is inside
        self._acting = np.unique(whole[inside][:, border].indices)
        ib = whole[inside][:, border[self._acting]].T.tocsr()
        self._ii = FactorisedSubmatrix(whole[inside][:, inside], direct)
        self._ii.factors.setMumpsIcntl(8, SCALED_BY_COLUMNS)
        self._ib = Submatrix(ib)
        self._bi, self._bb = (Submatrix(whole[border][:, z]) for z in (inside, border))
        self._responses = np.zeros(ib.shape[::-1])
        self._border = DenseBorder(shared)

    def _matrices(self) -> list[PETSc.Mat]:
        return [self._ii.factors]

    def factorise(self, values: np.ndarray) -> bool:
        """As there, of the entries of this rank's part; ``False``, on all ranks, where one of them
        has no factors."""
        for block in (self._ii, self._ib, self._bi, self._bb):
            block.take(values)
        schur = self._bb.matrix.toarray()
        return self._border.factorise(schur, not self._reduce_to_border(schur))

    def _reduce_to_border(self, schur: np.ndarray) -> bool:
        """Factors of what is inside, its responses, and without it this rank's part of the border's
        matrix; whether there are any."""
        if not self._ii.factorise():
            return False
        if len(self._acting):
            self._responses = self._ii.solve_all(self._ib.matrix)
            schur[:, self._acting] -= self._bi.matrix @ self._responses
        return True

    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        """As there, of owned values."""
        if not self._border.good:
            x[:] = np.inf
            return
        inside, responses = self._inside, self._responses
        alone = self._ii.solve(b[inside])
        border = self._solve_border(b, x, self._bi.matrix @ alone)
        x[inside] = alone - responses @ border[self._acting]

    def solve_transposed(self, b: np.ndarray, x: np.ndarray) -> None:
        """The same with the transposed matrix."""
        if not self._border.good:
            x[:] = np.inf
            return
        inside, responses = self._inside, self._responses
        taken = np.zeros(len(self.shared.at))
        taken[self._acting] = responses.T @ b[inside]
        border = self._solve_border(b, x, taken, True)
        rest = b[inside] - self._bi.matrix.T @ border
        x[inside] = self._ii.solve(rest, transposed=True)

    def _solve_border(
        self, b: np.ndarray, x: np.ndarray, taken: np.ndarray, transposed: bool = False
    ) -> np.ndarray:
        """The border's unknowns, owned ones into ``x`` too: what is inside has taken some of their
        right side."""
        own = self._own
        right = -taken
        right[own] += b[self.shared.unknowns[own]]
        result = self._border.solve(right, transposed)
        x[self.shared.unknowns[own]] = result[own]
        return result
