"""Condensed (slave) degrees of freedom: values that follow the unknowns linearly, such as nodes of
condensed bodies.

Cells read them like any unknown. What the cells give in return, rows and tangents, is condensed to
their masters: with q_s = T q, the rows are T' f and the tangent T' K T.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import bmat, coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from .blocks import Block
from .compiled.shared import fill, pointer
from .evaluation import Sums
from .roles import Condensed


class CondensedDofs:
    """The condensed degrees of freedom in this rank's memory.

    Args:
        blocks: those that are condensed.
        numbers: global number of each local value: unknowns, condensed, fixed values.
        locate: gives local numbers of global ones.
        unknowns: how many local values are unknowns; the condensed ones come next.
        total: local values in all.

    Attributes:
        T: condensed x local unknowns.
    """

    def __init__(self, blocks: list[Block], numbers, locate, unknowns: int, total: int):
        rows, cols, entries = [], [], []
        for b in blocks:
            here = locate(b.numbers)
            mine = np.flatnonzero((here >= unknowns) & ~b.fixed)
            assert isinstance(b.role, Condensed)
            masters = locate(b.role.master.numbers)
            part = coo_matrix(b.role.matrix[mine])
            rows.append(here[mine][part.row] - unknowns)
            cols.append(masters[part.col])
            entries.append(part.data)
        place = np.concatenate(rows), np.concatenate(cols)
        first = min(int(b.numbers[~b.fixed].min()) for b in blocks if not b.fixed.all())
        last = max(int(b.numbers[~b.fixed].max()) for b in blocks if not b.fixed.all())
        self.unknowns, self.total = unknowns, total
        self.count = int(((numbers >= first) & (numbers <= last)).sum())
        self.T = csr_matrix((np.concatenate(entries), place), (self.count, unknowns))
        self.T.sort_indices()
        self.T_transposed = self.T.T.tocsr()
        self._sizes = abs(self.T_transposed)
        self.range = slice(unknowns, unknowns + self.count)

    def follow(self, values: np.ndarray) -> None:
        """Set the condensed values of one field (local values)."""
        values[self.range] = self.T @ values[: self.unknowns]

    def condense(self, rows: np.ndarray) -> None:
        """Add the condensed rows to those of their masters; none stay."""
        rows[: self.unknowns] += self.T_transposed @ rows[self.range]
        rows[self.range] = 0.0

    def condense_sizes(self, rows: np.ndarray) -> np.ndarray:
        """Sizes of rows, those of condensed ones added to their masters'."""
        rows = rows.copy()
        rows[: self.unknowns] += self._sizes @ rows[self.range]
        rows[self.range] = 0.0
        return rows


class ReducedTangent:
    """T' K T from the cells' tangents.

    Those that share masters form a group, whose part of T is dense: a body's.

    Args:
        rows, cols: local numbers behind the cells' entries.
        condensed: of the system.
        entries: the array that holds the cells' entries, always the same.
        kept: which of them can differ from zero.
        module: the compiled functions.

    Attributes:
        rows, cols: local numbers behind the entries of the result (some more than once), none of
            them condensed.
        values: the result, an array that stays.
    """

    def __init__(
        self, rows: np.ndarray, cols: np.ndarray, condensed: CondensedDofs, entries: np.ndarray,
        kept: np.ndarray, module,
    ):  # fmt: skip
        n, first, T = condensed.total, condensed.unknowns, condensed.T
        keys, place = np.unique(rows[kept].astype(np.int64) * n + cols[kept], return_inverse=True)
        self._sums = Sums(place, len(keys), entries, module, kept)
        row, col = keys // n, keys % n
        group, self._groups = _groups(T)
        of_row, of_col = (_group_of(z - first, group) for z in (row, col))
        #: entries that stay as they are
        self._plain = np.flatnonzero((of_row < 0) & (of_col < 0))
        pieces = [(row[self._plain], col[self._plain])]
        self._parts: list[_Part] = []
        for g in sorted({-1, *of_row.tolist()}):
            for k in sorted({-1, *of_col.tolist()}):
                entries = np.flatnonzero((of_row == g) & (of_col == k))
                if len(entries) and (g >= 0 or k >= 0):
                    here, there = row[entries] - first, col[entries] - first
                    part = _Part(entries, here, there, self._side(g), self._side(k), first)
                    self._parts.append(part)
                    pieces.append(part.numbers)
        self.rows, self.cols = (
            np.concatenate(z).astype(np.int32) for z in zip(*pieces, strict=True)
        )
        self.values = np.zeros(len(self.rows))
        #: those of which both sides follow, and where they begin: a film has none that are not 0
        self._both: list[tuple[int, _Part]] = []
        self._share(module)

    def _share(self, module) -> None:
        """Show the compiled functions the parts of which one side follows."""
        at, one_sided = len(self._plain), []
        for part in self._parts:
            size = len(part.numbers[0])
            if part.both:
                self._both.append((at, part))
            else:
                one_sided.append((self.values[at : at + size], part))
            at += size
        self._count = len(one_sided)
        self._table = module.ffi.new("fc_reduction[]", max(self._count, 1))
        self._reduce = module.lib.fc_reduce
        self._kept = [
            part.share(module.ffi, entry, values)
            for entry, (values, part) in zip(self._table, one_sided, strict=False)
        ]
        self._sums_address = pointer(module.ffi, self._sums.sums)

    def _side(self, group: int) -> _Group | None:
        return self._groups[group] if group >= 0 else None

    def reduce(self) -> np.ndarray:
        """The result for the cells' present entries."""
        sums = self._sums.add()
        np.take(sums, self._plain, out=self.values[: len(self._plain)], mode="clip")
        self._reduce(self._table, self._count, self._sums_address)
        for at, part in self._both:
            self.values[at : at + len(part.numbers[0])] = part.product(sums).ravel()
        return self.values


class _Group(NamedTuple):
    """Those of the same masters: their numbers among all condensed ones, the masters' local
    numbers, and what ties them."""

    slaves: np.ndarray
    masters: np.ndarray
    T: np.ndarray


class _Part:
    """The part of a tangent between two groups, or a group and unknowns that do not follow.

    Args:
        entries: which sums of the cells' entries.
        row, col: their numbers less that of the first condensed one.
        left, right: group of the rows and of the columns; ``None`` where they do not follow.
        first: local number of the first condensed one.

    Attributes:
        numbers: local numbers of row and column behind each entry of the product.
        both: whether both sides follow.
    """

    def __init__(self, entries, row, col, left: _Group | None, right: _Group | None, first: int):
        i, rows = _inside(row, left, first)
        j, cols = _inside(col, right, first)
        transposed = right is None  # what is multiplied by T comes last
        if transposed:
            left, right, i, j, rows, cols = None, left, j, i, cols, rows
        assert right is not None
        self._left, self._T, self.both = left, right.T, left is not None
        outer, inner = np.repeat(rows, len(cols)), np.tile(cols, len(rows))
        self.numbers = (inner, outer) if transposed else (outer, inner)
        order = np.lexsort((j, i))
        self._entries = entries[order]
        size = (len(left.slaves) if left else len(rows), len(right.slaves))
        starts = np.searchsorted(i[order], np.arange(size[0] + 1))
        self._K = csr_matrix((np.zeros(len(entries)), j[order], starts), size)
        self._none = np.zeros((len(rows), len(cols)))

    def share(self, ffi: Any, table: Any, product: np.ndarray) -> list[np.ndarray]:
        """Show the compiled functions this part, one side of which follows, and where its product
        goes; returns what must stay."""
        table.rows, table.masters = self._K.shape[0], self._T.shape[1]
        table.product = pointer(ffi, product)
        return fill(ffi, table, {
            "first": self._K.indptr, "slave": self._K.indices, "entry": self._entries,
            "ties": self._T,
        })  # fmt: skip

    def product(self, sums: np.ndarray) -> np.ndarray:
        """Entries behind ``numbers``, in two dimensions; of parts of which both sides follow."""
        np.take(sums, self._entries, out=self._K.data, mode="clip")
        if not self._K.data.any():  # a film's forces do not turn with what they deform
            return self._none
        assert self._left is not None
        return self._left.T.T @ (self._K @ self._T)


def _inside(numbers: np.ndarray, group: _Group | None, first: int):
    """Place of each number within its side, and the local numbers of that side in the result."""
    if group is not None:
        return np.searchsorted(group.slaves, numbers), group.masters
    side, place = np.unique(numbers, return_inverse=True)
    return place, side + first


def _groups(T: csr_matrix) -> tuple[np.ndarray, list[_Group]]:
    """Group of each condensed value, and the groups."""
    count = T.shape[0]
    both = bmat([[None, T], [T.T, None]], format="csr")
    label = connected_components(both, directed=False)[1]
    names, group = np.unique(label[:count], return_inverse=True)
    result = []
    for name in names:
        mine = np.flatnonzero(label[:count] == name)
        masters = np.flatnonzero(label[count:] == name)
        result.append(_Group(mine, masters, T[mine][:, masters].toarray()))
    return group, result


def _group_of(numbers: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Group behind numbers among the condensed ones; -1 for others."""
    mine = (numbers >= 0) & (numbers < len(group))
    return np.append(group, -1)[np.where(mine, numbers, len(group))]
