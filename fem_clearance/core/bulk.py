"""Cells that fill bodies: what they give is added up as it is evaluated.

Of solids the cells' own tangents would be most of all numbers (576 of a hexahedron of degree 1, of
which a matrix has some 250), and three times as many places. They go straight into the entries of a
matrix in rows instead, at places that are known; all other cells keep theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, identity

from .._backend import PETSc
from ..errors import InputError
from .compiled.shared import fill, pointer
from .component import Component
from .evaluation import Batches, DofMap
from .forms import Compiled

#: pieces in which a rank sums the entries before it passes them to PETSc's matrix of several ranks,
#: and entries of one at least: cells on both sides of a cut are evaluated for each
PIECES, PIECE = 8, 1 << 18


class BulkResidual:
    """Sums of the forces of cells that fill bodies.

    Args:
        work: of the components, as of ``Batches``: component, form, dof map, outputs a cell.
        total: count of local numbers.
        module: the compiled functions.

    Attributes:
        sizes: sums of the sizes of the terms added last, by local number; an array that stays.
        table: what the compiled functions know, ``fc_bulk_rows`` of bulk.h.
    """

    def __init__(
        self, work: list[tuple[Component, Compiled, DofMap, int]], total: int, module: Any
    ):
        self._ffi, self._lib = module.ffi, module.lib
        self._batches, self.sizes = Batches(work, module, kept=False), np.zeros(total)
        self.table = module.ffi.new("fc_bulk_rows *")
        self.table.batches, self.table.total = len(work), total
        self.table.batch = self._batches.table
        arrays = {"work": self._batches.work, "sizes": self.sizes}
        self._keep = fill(module.ffi, self.table, arrays)

    def add(self, address: Any, sums: np.ndarray) -> None:
        """Add the rows at a state (its ``address``) to ``sums``, by local number."""
        self._lib.fc_add_bulk_rows(self.table, address, pointer(self._ffi, sums))


class BulkTangent:
    """Sums of the tangents of cells that fill bodies.

    Args:
        work: of the components, as of ``Batches``: component, form, dof map, outputs a cell.
        unknowns: of each its cells' local numbers, cells x dofs.
        rows, cols: local numbers behind entries that others add to the matrix.
        local, owned: how many local numbers are unknowns, others have no entries; how many of
            these are this rank's.
        numbers: global number of each local one.
        module: the compiled functions.

    Attributes:
        first, cols: where the entries of each row begin, and their columns, ascending; all local
            numbers. The diagonal and the entries of others are among them.
        count: number of entries.
        diagonal: places of the diagonal among them.
        table: what the compiled functions know, ``fc_bulk`` of bulk.h.

    Raises:
        InputError: an unknown that is coupled with more than 65536 others.
    """

    def __init__(
        self, work: list[tuple[Component, Compiled, DofMap, int]], unknowns: list[np.ndarray],
        rows: np.ndarray, cols: np.ndarray, local: int, owned: int, numbers: np.ndarray,
        module: Any,
    ):  # fmt: skip
        self.local, self._ffi, self._lib = local, module.ffi, module.lib
        self._module = module
        self.first, self.cols = _pattern(unknowns, rows, cols, local)
        self.count = len(self.cols)
        self.diagonal = np.flatnonzero(self.rows == self.cols).astype(np.int32)
        longest = int(np.diff(self.first).max(initial=0))
        self._numbers = numbers[:local].astype(PETSc.IntType)
        self._columns = np.zeros(longest, PETSc.IntType)
        self._batches = Batches(work, module, kept=False)
        self.table = module.ffi.new("fc_bulk *")
        self.table.rows, self.table.owned = local, owned
        self.table.batches = len(work)
        self.table.piece = max(self.count // PIECES, PIECE)
        self.table.batch = self._batches.table
        self.table.numbers, self.table.columns = (
            module.ffi.cast("fc_int *", z.ctypes.data) for z in (self._numbers, self._columns)
        )
        self._keep = fill(
            module.ffi, self.table,
            {"first": self.first, "cols": self.cols, "work": self._batches.work},
        )  # fmt: skip
        self._cells = self.table.cells = module.ffi.new("fc_bulk_cells[]", len(work))
        for k, (entry, (component, _, _, size), mine) in enumerate(
            zip(self._cells, work, unknowns, strict=True)
        ):
            entry.side_by_side = _side_by_side(mine, local)
            place = np.zeros(component.count * size // entry.side_by_side, np.uint16)
            at = module.ffi.cast("uint16_t *", place.ctypes.data)
            if self._lib.fc_find_places(self.table, k, at):
                raise InputError(
                    f"{component.kind.label}: an unknown of its cells is coupled with more than "
                    "65536 others; connect the body at fewer nodes."
                )
            entry.rows_alike, place = _alike(place, mine.shape[1], entry.side_by_side)
            small = int(place.max(initial=0)) < 256
            self._keep.append(place := place.astype(np.uint8) if small else place)
            name, of = ("near", "uint8_t *") if small else ("place", "uint16_t *")
            setattr(entry, name, module.ffi.cast(of, place.ctypes.data))

    @property
    def rows(self) -> np.ndarray:
        """Local number of the row of each entry, made at each call."""
        return np.repeat(np.arange(self.local, dtype=np.int32), np.diff(self.first))

    def add(self, address: Any, values: np.ndarray) -> None:
        """Add the tangents at a state (its ``address``) to the entries ``values``."""
        self._lib.fc_add_bulk(self.table, address, 0, self.local, pointer(self._ffi, values))

    def lengths(self, numbers: np.ndarray, x: PETSc.Vec) -> tuple[np.ndarray, np.ndarray]:
        """Entries of each owned row of a matrix over all ranks, in columns of this rank and of
        others (at most: what several ranks add counts as often); collective.

        Args:
            numbers: global number of each local one, owned ones first.
            x: a vector of the unknowns.
        """
        comm, owned, (low, high) = x.comm.tompi4py(), x.getLocalSize(), x.getOwnershipRange()
        own = self.first[owned]
        here = np.bincount(self.rows[:own], self.cols[:own] < owned, owned).astype(int)
        there = np.diff(self.first[: owned + 1]) - here
        rows, cols = (numbers[z] for z in (self.rows[own:], self.cols[own:]))
        rank = np.searchsorted(x.getOwnershipRanges()[1:], rows, side="right")
        cuts = np.searchsorted(rank, np.arange(comm.size + 1))  # ghosts' numbers ascend
        sent = [np.stack([rows[a:b], cols[a:b]]) for a, b in zip(cuts, cuts[1:], strict=False)]
        pairs = np.concatenate(comm.alltoall(sent), axis=1)
        met = np.unique(pairs[0]) - low
        mine = np.zeros(owned, bool)
        mine[met] = True
        of, to = (z[:own][np.repeat(mine, here + there)] for z in (self.rows, self.cols))
        known = numbers[to] + (of + low) * np.int64(x.size)
        more = np.setdiff1d(pairs[1] + pairs[0] * np.int64(x.size), known)
        row, col = np.divmod(more, x.size)
        mine = (col >= low) & (col < high)
        here += np.bincount(row[mine] - low, minlength=owned)
        there += np.bincount(row[~mine] - low, minlength=owned)
        return here.astype(PETSc.IntType), there.astype(PETSc.IntType)

    def scale(self, values: np.ndarray, scale: np.ndarray) -> None:
        """Multiply entries by the factors of their rows and columns, by local number."""
        if np.any(scale[: self.local] != 1):
            by, to = (pointer(self._ffi, z) for z in (scale, values))
            self._lib.fc_scale_bulk(self.table, by, 0, self.local, to)

    def insert(self, matrix: PETSc.Mat, entries: np.ndarray) -> None:
        """Set a matrix of several ranks to the sums of their entries; collective.

        Raises:
            PETSc.Error: as of PETSc.
        """
        petsc = self._ffi.new("fc_petsc *", self._module.petsc)
        handle, at = self._ffi.cast("void *", matrix.handle), pointer(self._ffi, entries)
        if error := self._lib.fc_insert(petsc, self.table, at, handle):
            raise PETSc.Error(error)

    def find(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Places among the entries of some, which must be among them."""
        if not len(rows):
            return np.zeros(0, np.int32)
        return np.asarray(self.sparse(np.arange(self.count, dtype=np.int32))[rows, cols]).ravel()

    def values(self, matrix: csr_matrix) -> np.ndarray:
        """The entries of a matrix, local x local, that has no others."""
        matrix.sort_indices()
        rows = np.repeat(np.arange(self.local), np.diff(matrix.indptr))
        result = np.zeros(self.count)
        result[self.find(rows, matrix.indices)] = matrix.data
        return result

    def sparse(self, values: np.ndarray) -> csr_matrix:
        """The matrix of some values of the entries, local x local."""
        return csr_matrix((values, self.cols, self.first), (self.local, self.local), copy=False)


def _side_by_side(unknowns: np.ndarray, local: int) -> int:
    """Number of consecutive dofs of each cell whose unknowns, as far as they are below ``local``,
    are numbered consecutively: 3 or 2 if they are the displacements of a node, otherwise 1."""
    for width in (3, 2):
        if unknowns.shape[1] % width:
            continue
        nodes = unknowns.reshape(len(unknowns), unknowns.shape[1] // width, width)
        free = nodes < local
        start = nodes - (np.cumsum(free, axis=2, dtype=np.int32) - free)
        first = np.where(free, start, local).min(axis=2, keepdims=True)
        if np.all((start == first) | ~free):
            return width
    return 1


def _alike(place: np.ndarray, dofs: int, width: int) -> tuple[int, np.ndarray]:
    """Number of consecutive dofs of each cell with the same places in their rows, and these places
    without repetitions: ``width`` if the others add nothing to single rows of a node, else 1."""
    rows = place.reshape(-1, dofs // width, width, dofs // width)
    if width > 1 and all(np.array_equal(rows[:, :, 0], rows[:, :, k]) for k in range(1, width)):
        return width, np.ascontiguousarray(rows[:, :, 0])
    return 1, place


def _pattern(
    unknowns: list[np.ndarray], rows: np.ndarray, cols: np.ndarray, local: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of all entries, see ``BulkTangent``."""
    total = identity(local, bool, "csr")
    total += csr_matrix((np.ones(len(rows), bool), (rows, cols)), (local, local))
    for mine in unknowns:
        dofs = mine.shape[1]
        owner = np.repeat(np.arange(len(mine), dtype=np.int32), dofs)
        free = mine.ravel() < local
        touch = csr_matrix(
            (np.ones(np.count_nonzero(free), bool), (mine.ravel()[free], owner[free])),
            (local, len(mine)),
        )
        total += touch @ touch.T
    total.sort_indices()
    first, cols = (z.astype(np.int32, copy=False) for z in (total.indptr, total.indices))
    return first, cols
