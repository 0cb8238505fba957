"""LU factors of matrices with a dense border: a film and the responses of a condensed solid.

Each amplitude of a condensed solid acts on all of a film, so that a sparse factorisation spends
most of its time on a few dense rows and columns. Here these are kept apart from the sparse block,
and their Schur complement is factorised by LAPACK, see ``compiled/bordered.c``.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import cython_blas, cython_lapack

from .._backend import PETSc
from .blocked import aligned
from .compiled.shared import pointer

if TYPE_CHECKING:
    from .problem import Problem

#: width of a vector in numbers, see bordered.c
VECTOR = 8


class BorderedLU:
    """Factors of one matrix after another, of one pattern.

    Args:
        first, columns: pattern of the matrix by rows; unknowns are eliminated in their order.
        border: numbers of the unknowns with dense rows and columns.
        module: the compiled one.
    """

    def __init__(self, first: np.ndarray, columns: np.ndarray, border: np.ndarray, module: Any):
        size = len(first) - 1
        inside = np.ones(size, bool)
        inside[border] = False
        self._order = np.concatenate([np.flatnonzero(inside), np.flatnonzero(~inside)]).astype(
            np.int32
        )
        n = int(inside.sum())
        m, wide = size - n, -(-(size - n) // VECTOR) * VECTOR
        self._ffi, self._lib = module.ffi, module.lib
        number = np.empty(size, int)
        number[self._order] = np.arange(size)
        i, j = number[np.repeat(np.arange(size), np.diff(first))], number[columns]
        self._pattern(n, i, j)
        reached = self._reached(n, np.unique(j[(i >= n) & (j < n)]))
        self._row = np.empty(n, np.int32)
        self._row[np.argsort(~reached, kind="stable")] = np.arange(n)
        sizes = (len(self._columns), n * wide, n * wide, m * m)
        begins = np.cumsum([0, *(-(-z // VECTOR) * VECTOR for z in sizes)])
        self._place = self._places(n, wide, m, i, j, begins).astype(np.int32)
        self._arena, self._right = (aligned(np.zeros(z)) for z in (begins[-1], wide))
        self._l, self._u = np.zeros(len(self._l_columns)), np.zeros(len(self._u_columns))
        self._inverse, self._work, self._x = np.zeros((3, n))
        self._pivots = np.zeros(m, np.int32)
        arrays = {
            "place": self._place, "order": self._order, "first": self._first,
            "column": self._columns, "l_first": self._l_first, "l_column": self._l_columns,
            "u_first": self._u_first, "u_column": self._u_columns, "row": self._row,
            "arena": self._arena, "l": self._l, "u": self._u, "inverse": self._inverse,
            "work": self._work, "x": self._x, "right": self._right, "pivots": self._pivots,
        }  # fmt: skip
        functions = {
            "gemm": routine(cython_blas, "dgemm"), "getrf": routine(cython_lapack, "dgetrf"),
            "getrs": routine(cython_lapack, "dgetrs"),
        }  # fmt: skip
        self._c = self._ffi.new("fc_bordered *", {
            "n": n, "m": m, "wide": wide, "reached": int(reached.sum()), "entries": len(columns),
            "size": int(begins[-1]), "y": int(begins[1]), "w": int(begins[2]), "s": int(begins[3]),
            **{name: self._at(z) for name, z in arrays.items()},
            **{name: self._ffi.cast("void *", z) for name, z in functions.items()},
        })  # fmt: skip

    def _pattern(self, n: int, i: np.ndarray, j: np.ndarray) -> None:
        """Pattern of the sparse block and of its factors."""
        sparse = np.flatnonzero((i < n) & (j < n))
        #: entries of the matrix that are the block's, in its order
        self._sparse = sparse[np.lexsort((j[sparse], i[sparse]))]
        self._first = np.searchsorted(i[self._sparse], np.arange(n + 1)).astype(np.int32)
        self._columns = j[self._sparse].astype(np.int32)
        self._l_first, self._u_first = np.zeros((2, n + 1), np.int32)
        room, needed = 0, 16 * n
        while needed > room:
            room = needed
            lower, upper = np.zeros((2, room), np.int32)
            arrays = self._first, self._columns, self._l_first, lower, self._u_first, upper
            needed = self._lib.fc_bordered_pattern(n, *map(self._at, arrays), room)
        if needed < 0:
            raise MemoryError("no memory for the factors' pattern")
        self._l_columns = lower[: self._l_first[-1]].copy()
        self._u_columns = upper[: self._u_first[-1]].copy()

    def _reached(self, n: int, columns: np.ndarray) -> np.ndarray:
        """Rows of the sparse block with an entry of W: what the border's rows touch, and what
        elimination brings from there."""
        reached = np.zeros(n, bool)
        reached[columns] = True
        for k in range(n):
            if reached[k]:
                reached[self._u_columns[self._u_first[k] : self._u_first[k + 1]]] = True
        return reached

    def _places(self, n: int, wide: int, m: int, i, j, begins) -> np.ndarray:
        """Place in the arena of each entry of the matrix."""
        place = np.zeros(len(i), np.int64)
        place[self._sparse] = np.arange(len(self._sparse))
        right, below, corner = (i < n) & (j >= n), (i >= n) & (j < n), (i >= n) & (j >= n)
        place[right] = begins[1] + self._row[i[right]] * wide + j[right] - n
        place[below] = begins[2] + self._row[j[below]] * wide + i[below] - n
        place[corner] = begins[3] + (i[corner] - n) + (j[corner] - n) * m
        return place

    def factorise(self, values: np.ndarray) -> bool:
        """New factors for the entries of a matrix (in the order of its pattern); ``False`` where
        one has no pivot."""
        return not self._lib.fc_bordered_factorise(self._c, self._at(values))

    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        """Solution, into ``x``; infinite without factors."""
        self._solve(b, x, False)

    def solve_transposed(self, b: np.ndarray, x: np.ndarray) -> None:
        """The same with the transposed matrix."""
        self._solve(b, x, True)

    def _solve(self, b, x, transposed):
        self._lib.fc_bordered_solve(self._c, self._at(b), self._at(x), transposed)

    def _at(self, array: np.ndarray) -> Any:
        return pointer(self._ffi, array)


def border_of(problem: Problem) -> np.ndarray:
    """Numbers of the unknowns that condensed values follow, and of the multipliers that hold them,
    which have no pivot before those are eliminated."""
    if problem.condensed is None:
        return np.zeros(0, int)
    masters = np.flatnonzero(np.diff(problem.condensed.T_transposed.indptr))
    rows, cols = problem.coo_rows, problem.coo_cols
    held = problem.constrained[rows] & np.isin(cols, masters)
    border = np.union1d(masters, rows[held])
    return border[border < problem.owned]  # fixed values are no unknowns


class Bordered:
    """PETSc's preconditioner of type ``python`` by these factors.

    Args:
        border: numbers of the unknowns with dense rows and columns.
        module: the compiled one.
    """

    def __init__(self, border: np.ndarray, module: Any):
        self.border, self.module = border, module
        self.factors: BorderedLU | None = None

    def setUp(self, pc: PETSc.PC) -> None:
        """Factorise the present matrix."""
        first, columns, values = pc.getOperators()[1].getValuesCSR()
        if self.factors is None:
            self.factors = BorderedLU(first, columns, self.border, self.module)
        failed = PETSc.PC.FailedReason
        found = self.factors.factorise(values)
        pc.setFailedReason(failed.NOERROR if found else failed.FACTOR_NUMERIC_ZEROPIVOT)

    def apply(self, pc: PETSc.PC, b: PETSc.Vec, x: PETSc.Vec) -> None:
        """Solve."""
        assert self.factors is not None
        self.factors.solve(b.array_r, x.array_w)

    def applyTranspose(self, pc: PETSc.PC, b: PETSc.Vec, x: PETSc.Vec) -> None:
        """Solve with the transposed matrix."""
        assert self.factors is not None
        self.factors.solve_transposed(b.array_r, x.array_w)


def routine(library: Any, name: str) -> int:
    """Address of a routine of BLAS or LAPACK, as SciPy hands it to compiled code."""
    capsule = library.__pyx_capi__[name]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
