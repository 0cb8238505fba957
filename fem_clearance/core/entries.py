"""The entries of a tangent: where they stand, and what is done with their values.

Values of a tangent are one array. First come the entries of the cells that fill bodies, sums over
these cells (bulk.py), then the tangents of all other cells, one after the other, in which entries
repeat. Of large bodies the former are many: nothing here makes a list of their rows but ``rows``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from .._backend import PETSc
from .assembly import Places
from .bulk import BulkTangent
from .compiled.shared import Shared
from .component import Component
from .mixins import RestrictedSparsity

#: attribute of one rank's matrices of bodies: the values in their memory
VALUES = "values"


class Entries:
    """Where the numbers of tangents stand, by local number.

    Args:
        point_rows, point_cols: behind the tangents of the cells that do not fill bodies.
        kept: which of these can differ from zero; ``None``: all.
        filled: tangents of the cells that fill bodies, if there are any.
        numbers: global number of each local one.
        local, width: local unknowns; unknowns of a node of whole nodes (else 1).
        x: a vector of the unknowns.

    Attributes:
        into: with cells that fill bodies, the places of the others' entries among theirs,
            ascending: matrices hold these alone.
        coo: scaled entries on the way into a matrix, after them the owned diagonal.
        start: number of entries of cells that fill bodies.
        count: number of values of a tangent.
    """

    def __init__(
        self, point_rows: np.ndarray, point_cols: np.ndarray, kept: np.ndarray | None,
        filled: BulkTangent | None, numbers: np.ndarray, local: int, width: int, x: PETSc.Vec,
    ):  # fmt: skip
        self.point_rows, self.point_cols, self.kept = point_rows, point_cols, kept
        self.filled, self.into = filled, None
        self._numbers, self._local, self._width, self._x = numbers, local, width, x
        self._owned = x.getLocalSize()
        self.start = filled.count if filled else 0
        self.count = self.start + len(point_rows)
        if filled:
            free = (point_rows < local) & (point_cols < local)
            if kept is not None:
                free &= np.isin(np.arange(len(free)), kept)
            which = np.flatnonzero(free).astype(np.int32)
            into = filled.find(point_rows[which], point_cols[which])
            order = np.argsort(into, kind="stable")
            self.kept, self.into = which[order], into[order]
        #: how many of the cells' numbers matrices hold
        self.held = len(point_rows) if self.kept is None else len(self.kept)
        self.coo = np.zeros(self.held + self._owned)

    @cached_property
    def places(self) -> Places | None:
        """Where the cells' tangents lie in a matrix of one rank without cells that fill bodies."""
        if self.filled is not None:
            return None
        rows, cols = self.point_rows, self.point_cols
        if self.kept is not None:
            rows, cols = rows[self.kept], cols[self.kept]
        return Places(rows, cols, self.kept, self._local)

    def pattern(self) -> tuple[np.ndarray, np.ndarray]:
        """Pattern of the matrix of this rank's cells, by rows."""
        if self.filled is not None:
            return self.filled.first, self.filled.cols
        assert self.places is not None
        return self.places.first, self.places.columns

    def share(
        self, shared: Shared, part: np.ndarray | None = None,
        left_out: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        """Show the compiled functions where the entries go.

        Args:
            part: on several ranks, where those of this rank's cells are added up, in ``pattern``'s
                order; by default in a matrix of PETSc's.
            left_out: ``under`` and ``out`` of ``KeptBulk``; by default cells that fill bodies are
                always evaluated.
        """
        apart = self._x.comm.size > 1
        which, places = self.kept, self.places if part is not None or not apart else None
        none = shared.module.ffi.NULL
        shared.set("forms", kept=self.held)
        shared.point("forms", coo_rows=self.point_rows, coo_cols=self.point_cols, coo=self.coo)
        shared.point("forms", which=none, place=none, part=none if part is None else part)
        under, out = left_out or (none, none)
        shared.point("forms", under=under, bulk_out=out)
        if self.filled is not None:
            shared.set("forms", bulk=self.filled.table[0])
        if self.into is not None:
            shared.point("forms", into=self.into)
        if places is not None:
            which = places.which
            shared.set("forms", placed=len(places.place))
            shared.point("forms", first=places.first, column=places.columns, place=places.place)
        if which is not None:
            shared.point("forms", which=which)

    @property
    def rows(self) -> np.ndarray:
        """Local numbers of the rows behind the values of a tangent; made at each call."""
        if self.filled is None:
            return self.point_rows
        return np.concatenate([self.filled.rows, self.point_rows])

    @property
    def cols(self) -> np.ndarray:
        """The same of the columns."""
        if self.filled is None:
            return self.point_cols
        return np.concatenate([self.filled.cols, self.point_cols])

    def in_rows(self, which: np.ndarray) -> np.ndarray:
        """Places among the values of the entries in some rows, told by local number."""
        found = np.flatnonzero(which[self.point_rows])
        if self.filled is None:
            return found
        some = np.flatnonzero(which[: self._local])
        first = self.filled.first
        pieces = [np.arange(first[i], first[i + 1]) for i in some]
        return np.concatenate([*pieces, self.start + found]).astype(int)

    def at(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Local numbers of row and column behind some of the values."""
        if self.filled is None:
            return self.point_rows[places], self.point_cols[places]
        inside = places < self.start
        rows, cols = np.zeros((2, len(places)), np.int32)
        rows[inside] = np.searchsorted(self.filled.first, places[inside], side="right") - 1
        cols[inside] = self.filled.cols[places[inside]]
        rest = places[~inside] - self.start
        rows[~inside], cols[~inside] = self.point_rows[rest], self.point_cols[rest]
        return rows, cols

    # --- products -------------------------------------------------------------------------------
    def times(self, values: np.ndarray, x: np.ndarray) -> np.ndarray:
        """A x by local number, not yet added over ranks; ``x`` by local number too."""
        products = values[self.start :] * x[self.point_cols]
        result = np.bincount(self.point_rows, products.real, len(x)).astype(float)
        if np.iscomplexobj(products):
            result = result + 1j * np.bincount(self.point_rows, products.imag, len(x))
        if self.filled is not None:
            A = self.filled.sparse(values[: self.start])
            result[: self._local] += A @ x[: self._local]
        return result

    def diagonal(self, values: np.ndarray) -> np.ndarray:
        """Entries on the diagonal by local number, not yet added over ranks."""
        own = self.point_rows == self.point_cols
        sums = np.bincount(
            self.point_rows[own], values[self.start :][own], len(self._numbers)
        ).astype(float)
        if self.filled is not None:
            sums[: self._local] += values[self.filled.diagonal]
        return sums

    def scaled(self, values: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """Values with rows and columns in units of the solver's unknowns (``State.scale``)."""
        result, m = np.empty_like(values), self.start
        result[m:] = values[m:] * scale[self.point_rows] * scale[self.point_cols]
        if self.filled is not None:
            result[:m] = values[:m]
            self.filled.scale(result, scale)
        return result

    # --- matrices -------------------------------------------------------------------------------
    def matrix(self) -> PETSc.Mat:
        """A matrix of the pattern of tangents and the diagonal, see ``fill``."""
        if self.filled is not None and self._x.comm.size == 1:
            return self._in_our_memory()
        result = PETSc.Mat().create(self._x.comm)
        result.setSizes((self._x.getSizes(), self._x.getSizes()))
        result.setType("aij")
        if self._width > 1:
            result.setBlockSize(self._width)
        if self.filled is not None:
            result.setPreallocationNNZ(self.filled.lengths(self._numbers, self._x))
            # a rank without rows would do without, and wait elsewhere in the assembly
            result.setOption(PETSc.Mat.Option.NEW_NONZERO_ALLOCATION_ERR, True)
            return result
        numbers = self._numbers.copy()
        numbers[self._local :] = -1  # fixed: ignored
        which, own = slice(None) if self.kept is None else self.kept, np.arange(self._owned)
        rows, cols = [self.point_rows[which], own], [self.point_cols[which], own]
        result.setPreallocationCOO(
            *(numbers[np.concatenate(z)].astype(PETSc.IntType) for z in (rows, cols))
        )
        result.assemble()
        return result

    def _in_our_memory(self) -> PETSc.Mat:
        """One rank's matrix of bodies: PETSc reads our arrays, so that matrices share their
        pattern."""
        assert self.filled is not None
        values, sizes = np.zeros(self.start), self._x.getSizes()
        pattern: Any = (
            z.astype(PETSc.IntType, copy=False) for z in (self.filled.first, self.filled.cols)
        )
        result = PETSc.Mat().createAIJWithArrays(
            (sizes, sizes), (*pattern, values), comm=self._x.comm
        )
        result.setBlockSize(self._width)  # which the call above would ignore
        result.setAttr(VALUES, values)
        return result

    def fill(
        self, matrix: PETSc.Mat, values: np.ndarray, diagonal: np.ndarray | float = 0.0
    ) -> None:
        """Set a matrix made by ``matrix``.

        Args:
            values: of a tangent, as the matrix shall hold them.
            diagonal: added to it, owned values.
        """
        others = values[self.start :]
        if self.kept is not None:
            others = others[self.kept]
        if self.filled is not None and self.into is not None:
            alone = self._x.comm.size == 1
            to: Any = matrix.getAttr(VALUES) if alone else np.empty(self.start)
            if alone:
                matrix.zeroEntries()  # what PETSc knows of the old values is gone with them
            to[:] = values[: self.start]
            np.add.at(to, self.into, others)
            to[self.filled.diagonal[: self._owned]] += diagonal
            if alone:
                matrix.stateIncrease()
            else:
                self.filled.insert(matrix, to)
            return
        end = len(self.coo) - self._owned
        self.coo[:end], self.coo[end:] = others, diagonal
        matrix.setValuesCOO(self.coo, PETSc.InsertMode.INSERT_VALUES)
        self.coo[end:] = 0.0  # the compiled loop adds none

    def fill_part(self, part: np.ndarray, values: np.ndarray, diagonal: np.ndarray) -> None:
        """The same in the matrix of this rank's cells, in ``pattern``'s order; without cells that
        fill bodies."""
        assert self.places is not None
        which, place = self.places.which, self.places.place
        weights = values if which is None else values[which]
        part[:] = np.bincount(place, weights, len(part))
        part[self.places.diagonal[: self._owned]] += diagonal


def of_cells(
    cells: list[tuple[Component, np.ndarray]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Local numbers of rows and columns behind the cells' tangents, one after the other, and which
    of these can differ from zero; of components and their unknowns (cells x dofs)."""
    rows, cols, coupled = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], [np.zeros(0, bool)]
    for c, unknowns in cells:
        if c.tangent is not None:
            mine = unknowns.astype(np.int32)
            rows.append(np.repeat(mine, c.dofs, axis=1).ravel())
            cols.append(np.tile(mine, c.dofs).ravel())
            some = np.ones((c.dofs, c.dofs), bool)
            if isinstance(c.kind, RestrictedSparsity):
                some = c.kind.sparsity()
            coupled.append(np.tile(some.ravel(), c.count))
    kept = np.flatnonzero(np.concatenate(coupled)).astype(np.int32)
    return np.concatenate(rows), np.concatenate(cols), kept
