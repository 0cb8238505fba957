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

from .blocked import aligned
from .factors import VECTOR, OwnFactors

if TYPE_CHECKING:
    from .problem import Problem
    from .substructures import SharedBorder


#: rows of a panel in the mean from which it is worth it to eliminate by panels
PANEL = 1.5


class BorderedLU(OwnFactors):
    """Factors of one matrix after another, of one pattern.

    Args:
        first, columns: pattern of the matrix by rows; unknowns are eliminated in their order.
        border: numbers of the unknowns with dense rows and columns; those that are not shared are
            eliminated before the shared ones.
        module: the compiled one.
        shared: the unknowns between ranks, which have parts of their matrix; by default there are
            none.
        owned: with it, unknowns of this rank, which vectors have.
    """

    def __init__(
        self, first: np.ndarray, columns: np.ndarray, border: np.ndarray, module: Any,
        shared: SharedBorder | None = None, owned: int | None = None,
    ):  # fmt: skip
        super().__init__(module, "bordered")
        size = len(first) - 1
        between = np.zeros(0, int) if shared is None else shared.unknowns
        own = np.setdiff1d(border, between)
        inside = np.ones(size, bool)
        inside[own] = inside[between] = False
        self._order = np.concatenate([np.flatnonzero(inside), own, between]).astype(np.int32)
        n, alone = int(inside.sum()), 0 if shared is None else len(own)
        m, wide = size - n, -(-(size - n) // VECTOR) * VECTOR
        self._width = wide
        number = np.empty(size, int)
        number[self._order] = np.arange(size)
        i, j = number[np.repeat(np.arange(size), np.diff(first))], number[columns]
        self._pattern(n, i, j)
        self._reached = self._reach(n, np.unique(j[(i >= n) & (j < n)])).astype(np.int32)
        self._y_range = self._range(n, i, j, self._l_first, self._l_columns, True)
        self._w_range = self._range(n, j, i, self._u_first, self._u_columns, False)
        begin = -(-len(self._columns) // VECTOR) * VECTOR
        self._y, begin = self._row_places(self._y_range, begin)
        self._w, begin = self._row_places(self._w_range, begin)
        self._place = self._places(n, m, i, j, begin).astype(np.int32)
        self._arena, self._right = (aligned(np.zeros(z)) for z in (begin + m * m, wide))
        self._l, self._u = np.zeros(len(self._l_columns)), np.zeros(len(self._u_columns))
        self._inverse, self._work, self._x = np.zeros((3, n))
        self._gathered, self._panel_end = np.zeros(n + 1), self._panels(n)
        self._pivots = np.zeros(m if shared is None else len(shared.numbers), np.int32)
        self._own_pivots = np.zeros(alone, np.int32)
        table, self._shared = ({}, []) if shared is None else shared.table()
        arrays = {
            "place": self._place, "order": self._order, "first": self._first,
            "column": self._columns, "l_first": self._l_first, "l_column": self._l_columns,
            "u_first": self._u_first, "u_column": self._u_columns, "reached": self._reached,
            "y_range": self._y_range, "w_range": self._w_range, "y": self._y, "w": self._w,
            "arena": self._arena, "l": self._l, "u": self._u, "inverse": self._inverse,
            "work": self._work, "x": self._x, "gathered": self._gathered,
            "panel_end": self._panel_end, "right": self._right, "pivots": self._pivots,
            "own_pivots": self._own_pivots,
        }  # fmt: skip
        functions = {
            "gemm": routine(cython_blas, "dgemm"), "getrf": routine(cython_lapack, "dgetrf"),
            "getrs": routine(cython_lapack, "dgetrs"),
        }  # fmt: skip
        self._c = self._ffi.new("fc_bordered *", {
            "n": n, "m": m, "wide": wide, "alone": alone, "entries": len(columns),
            "size": len(self._arena), "s": begin, "owned": size if owned is None else owned,
            "shared": table,
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
        room, needed = 0, 16 * n + 1
        while needed > room:
            room = needed
            lower, upper = np.zeros((2, room), np.int32)
            arrays = self._first, self._columns, self._l_first, lower, self._u_first, upper
            needed = self._lib.fc_bordered_pattern(n, *map(self._at, arrays), room)
        if needed < 0:
            raise MemoryError("no memory for the factors' pattern")
        self._l_columns = lower[: self._l_first[-1]].copy()
        self._u_columns = upper[: self._u_first[-1]].copy()

    def _panels(self, n: int) -> np.ndarray:
        """Of each row of U the one after its panel: rows in turn, each of which has the columns of
        the one before but its first; each alone where panels are small."""
        first, columns = self._u_first, self._u_columns
        length = np.diff(first)
        end = np.arange(1, n + 1, dtype=np.int32)
        for k in range(n - 2, -1, -1):
            here, there = columns[first[k] : first[k + 1]], columns[first[k + 1] : first[k + 2]]
            if length[k] == length[k + 1] + 1 and here[0] == k + 1 and (here[1:] == there).all():
                end[k] = end[k + 1]
        alone = np.arange(1, n + 1, dtype=np.int32)
        return end if PANEL * len(np.unique(end)) <= n else alone

    def _reach(self, n: int, columns: np.ndarray) -> np.ndarray:
        """Rows of the sparse block with an entry of W: what the border's rows touch, and what
        elimination brings from there."""
        reached = np.zeros(n, bool)
        reached[columns] = True
        for k in range(n):
            if reached[k]:
                reached[self._u_columns[self._u_first[k] : self._u_first[k + 1]]] = True
        return reached

    def _range(self, n: int, i, j, first, columns, gathers: bool) -> np.ndarray:
        """Of each row of the sparse block, where its row of Y (or W) begins and ends: each of
        several films has responses of its own. What the matrix has there, and what elimination
        brings: from the rows of ``columns`` (``gathers``), or to them."""
        own = (i < n) & (j >= n)
        low, high = np.full(n, self._width), np.zeros(n, int)
        np.minimum.at(low, i[own], j[own] - n)
        np.maximum.at(high, i[own], j[own] - n + 1)
        for k in range(n):
            others = columns[first[k] : first[k + 1]]
            if not len(others):
                continue
            if gathers:
                low[k], high[k] = min(low[k], low[others].min()), max(high[k], high[others].max())
            elif high[k]:
                low[others] = np.minimum(low[others], low[k])
                high[others] = np.maximum(high[others], high[k])
        low = np.where(high > 0, low // VECTOR * VECTOR, 0)
        return np.stack([low, -(-high // VECTOR) * VECTOR], axis=1).astype(np.int32)

    def _row_places(self, ranges: np.ndarray, begin: int) -> tuple[np.ndarray, int]:
        """Positions in the arena of the first column of each row of Y (or W), and the end of the
        rows. Each row is stored within its range only: first the rows that have a row of W, in the
        order in which they are multiplied, then the others."""
        order = np.argsort(1 - self._reached, kind="stable")
        ends = begin + np.cumsum(np.diff(ranges, axis=1).ravel()[order])
        place = np.empty(len(order), np.int32)
        place[order] = ends - ranges[order, 1]
        return place, int(ends[-1]) if len(ends) else begin

    def _places(self, n: int, m: int, i, j, corner_at: int) -> np.ndarray:
        """Place in the arena of each entry of the matrix."""
        place = np.zeros(len(i), np.int64)
        place[self._sparse] = np.arange(len(self._sparse))
        right, below, corner = (i < n) & (j >= n), (i >= n) & (j < n), (i >= n) & (j >= n)
        place[right] = self._y[i[right]] + j[right] - n
        place[below] = self._w[j[below]] + i[below] - n
        place[corner] = corner_at + (i[corner] - n) + (j[corner] - n) * m
        return place


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


def routine(library: Any, name: str) -> int:
    """Address of a routine of BLAS or LAPACK, as SciPy hands it to compiled code."""
    capsule = library.__pyx_capi__[name]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
