"""Values that follow the unknowns linearly: nodes of condensed bodies.

Cells read followers like any unknown. What the cells give in return, rows and tangents, is handed
on to the unknowns that lead: with q_f = T q, the rows are T' f and the tangent T' K T.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, identity, vstack

from .unknowns import Block


class Followers:
    """The followers in this rank's memory.

    Args:
        blocks: those that follow.
        numbers: global number of each local value: unknowns, followers, fixed values.
        locate: gives local numbers of global ones.
        unknowns: how many local values are unknowns; the followers come next.
        total: local values in all.

    Attributes:
        T: followers x local unknowns.
    """

    def __init__(self, blocks: list[Block], numbers, locate, unknowns: int, total: int):
        rows, cols, entries = [], [], []
        for b in blocks:
            here = locate(b.numbers)
            mine = np.flatnonzero((here >= unknowns) & ~b.fixed)
            assert b.leader is not None and b.follows is not None
            leaders = locate(b.leader.numbers)
            part = coo_matrix(b.follows[mine])
            rows.append(here[mine][part.row] - unknowns)
            cols.append(leaders[part.col])
            entries.append(part.data)
        place = np.concatenate(rows), np.concatenate(cols)
        first = min(int(b.numbers[~b.fixed].min()) for b in blocks if not b.fixed.all())
        last = max(int(b.numbers[~b.fixed].max()) for b in blocks if not b.fixed.all())
        self.unknowns, self.total = unknowns, total
        self.count = int(((numbers >= first) & (numbers <= last)).sum())
        self.T = csr_matrix((np.concatenate(entries), place), (self.count, unknowns))
        self.T.sort_indices()
        self.T_transposed = self.T.T.tocsr()
        self.range = slice(unknowns, unknowns + self.count)

    def follow(self, values: np.ndarray) -> None:
        """Set the followers of one field (local values)."""
        values[self.range] = self.T @ values[: self.unknowns]

    def hand_on(self, rows: np.ndarray) -> None:
        """Add the followers' rows to those of the unknowns; none stay."""
        rows[: self.unknowns] += self.T_transposed @ rows[self.range]
        rows[self.range] = 0.0

    @property
    def spread(self) -> csr_matrix:
        """All local values from themselves, followers from their leaders."""
        fixed = identity(self.total, format="csr")
        return vstack(
            [fixed[: self.unknowns], self._wide(), fixed[self.range.stop :]], format="csr"
        )

    def _wide(self) -> csr_matrix:
        wide = self.T.copy()
        wide.resize((self.count, self.total))
        return wide


class ReducedTangent:
    """T' K T from the cells' tangents.

    Args:
        rows, cols: local numbers behind the cells' entries.
        followers: of the system.

    Attributes:
        rows, cols: local numbers behind the entries of the result, none of them a follower.
        values: the result, an array that stays.
    """

    def __init__(self, rows: np.ndarray, cols: np.ndarray, followers: Followers):
        n = followers.total
        keys, self._place = np.unique(rows.astype(np.int64) * n + cols, return_inverse=True)
        self._rows, self._cols, self._n = keys // n, keys % n, n
        P = followers.spread
        self._P, self._R = P, P.T.tocsr()
        ones = csr_matrix((np.ones(len(keys)), (self._rows, self._cols)), (n, n))
        # sizes only: nothing cancels
        pattern = (abs(self._R) @ ones @ abs(P)).tocoo()
        self._keys = np.sort(pattern.row.astype(np.int64) * n + pattern.col)
        self.rows = (self._keys // n).astype(np.int32)
        self.cols = (self._keys % n).astype(np.int32)
        self.values = np.zeros(len(self._keys))

    def reduce(self, entries: np.ndarray) -> np.ndarray:
        """The result for the cells' present entries."""
        n = self._n
        sums = np.bincount(self._place, entries, len(self._rows))
        K = csr_matrix((sums, (self._rows, self._cols)), (n, n))
        product = (self._R @ (K @ self._P)).tocoo()
        place = np.searchsorted(self._keys, product.row.astype(np.int64) * n + product.col)
        self.values[:] = 0.0
        self.values[place] = product.data
        return self.values
