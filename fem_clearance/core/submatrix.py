"""Some rows and columns of a matrix, in memory that PETSc reads, and their factors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix

from .._backend import PETSc

#: sets a solver up to factorise a matrix
Direct = Callable[[PETSc.KSP, PETSc.Mat], None]


class Submatrix:
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


class FactorisedSubmatrix(Submatrix):
    """The same, square, with factors of this rank's own.

    Args:
        places: as above.
        direct: sets a solver up to factorise it.
    """

    def __init__(self, places: csr_matrix, direct: Direct):
        super().__init__(places)
        self._petsc, self._ksp = self.of_petsc(), PETSc.KSP().create(PETSc.COMM_SELF)
        direct(self._ksp, self._petsc)
        self._b, self._x = self._petsc.createVecs()

    @property
    def factors(self) -> PETSc.Mat:
        """Those of the entries taken over before ``factorise`` was last called."""
        return self._ksp.getPC().getFactorMatrix()

    def factorise(self) -> bool:
        """New factors; ``False`` if there are none."""
        self._petsc.stateIncrease()
        self._ksp.setOperators(self._petsc)
        self._ksp.setUp()
        return not self._ksp.getPC().getFailedReason()

    def solve(self, b: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Solution, an array that stays until the next one."""
        self._b.array_w[:] = b
        (self.factors.solveTranspose if transposed else self.factors.solve)(self._b, self._x)
        return self._x.array_r

    def solve_all(self, rows: csr_matrix) -> np.ndarray:
        """Solutions, by columns, for sparse right sides, by rows."""
        pattern = [z.astype(PETSc.IntType, copy=False) for z in (rows.indptr, rows.indices)]
        matrix = PETSc.Mat().createAIJWithArrays(
            rows.shape, (*pattern, rows.data), comm=PETSc.COMM_SELF
        )
        loads = PETSc.Mat().createTranspose(matrix)
        found = self._solve_all(loads, rows.shape[::-1])
        for item in (loads, matrix):
            item.destroy()
        return found

    def solve_columns(self, b: np.ndarray) -> np.ndarray:
        """Solutions, by columns, for right sides by columns."""
        loads = PETSc.Mat().createDense(b.shape, array=np.asfortranarray(b), comm=PETSc.COMM_SELF)
        found = self._solve_all(loads, b.shape)
        loads.destroy()
        return found

    def _solve_all(self, loads: PETSc.Mat, shape: tuple[int, ...]) -> np.ndarray:
        found = np.zeros(shape, order="F")
        to = PETSc.Mat().createDense(shape, array=found, comm=PETSc.COMM_SELF)
        self.factors.matSolve(loads, to)
        to.destroy()
        return found
