"""LU factors of chains: matrices of dense blocks, those of the nodes of beams.

All unknowns of a node are coupled with the same others. Rows with the same columns therefore form
a dense block, and elimination consists of products of such blocks, see ``compiled/nodes.c``.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any

import numpy as np

from .blocked import aligned
from .factors import OwnFactors

#: unknowns of a node at most; those of more are divided. As in nodes.c
MOST = 16
#: unknowns of a node in the mean for which its blocks are worth it
LEAST = 3
#: padding of columns: the widest vectors of nodes.c
WIDTH = 4


def node_factors(first: np.ndarray, columns: np.ndarray, module: Any) -> NodeLU | None:
    """Factors for matrices of a pattern (by rows), ``None`` where they are not worth it: its nodes
    have few unknowns, or elimination in this order fills it."""
    start = nodes_of(first, columns)
    if len(first) - 1 < LEAST * max(len(start) - 1, 1):
        return None
    pattern = Pattern(first, columns, start)
    return NodeLU(pattern, module) if pattern.products <= 100 * len(pattern.later) else None


def nodes_of(first: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Where the nodes of a matrix begin, and its size: rows in turn that have the same columns.

    Args:
        first, columns: pattern of the matrix by rows.
    """
    rows = [columns[a:b].tobytes() for a, b in pairwise(first)]
    start = [0]
    for _, alike in groupby(rows):
        count = len(list(alike))
        parts = -(-count // MOST)
        start += [start[-1] + (k + 1) * count // parts for k in range(parts)]
    return np.array(start)


class Pattern:
    """Which blocks the factors of a matrix have, whose unknowns are eliminated in their order.

    Args:
        first, columns: pattern of the matrix by rows.
        start: where nodes begin, as of ``nodes_of``.

    Attributes:
        later: of each node those after it with which it has blocks.
        products: of blocks in an elimination.
    """

    def __init__(self, first: np.ndarray, columns: np.ndarray, start: np.ndarray):
        self.first, self.columns, self.start = first, columns, start
        self.sizes = np.diff(start)
        node = np.repeat(np.arange(len(self.sizes)), self.sizes)
        #: of each entry the numbers of its nodes
        self.i, self.j = np.repeat(node, np.diff(first)), node[columns]
        pairs = np.unique(np.sort(np.stack([self.i, self.j], axis=1)), axis=0)
        others: list[set[int]] = [set() for _ in self.sizes]
        for a, b in pairs.tolist():
            others[a].add(b)
        for k, later in enumerate(others):
            later.discard(k)
            for a in later:
                others[a].update(b for b in later if b > a)
        self.later = [sorted(later) for later in others]
        self.products = sum(len(later) ** 2 for later in self.later)


class NodeLU(OwnFactors):
    """Factors of matrices whose unknowns are eliminated in their order, node by node; pivots are
    sought among the rows of a node.

    Args:
        pattern: of the matrices.
        module: the compiled one.
    """

    def __init__(self, pattern: Pattern, module: Any):
        super().__init__(module, "nodes")
        self._start, self._sizes, self._later = pattern.start, pattern.sizes, pattern.later
        self._pads = -(-self._sizes // WIDTH) * WIDTH
        self._arrange()
        first, i, j = pattern.first, pattern.i, pattern.j
        row = np.repeat(np.arange(len(first) - 1), np.diff(first)) - self._start[i]
        column = pattern.columns - self._start[j]
        block = [self._at_block[pair] for pair in zip(i.tolist(), j.tolist(), strict=True)]
        self._share(first, np.array(block) + column * self._pads[i] + row)

    def _arrange(self) -> None:
        """Place in the arena of each block."""
        self._at_block: dict[tuple[int, int], int] = {}
        self._room = 0
        for k, later in enumerate(self._later):
            for a, b in [(k, k), *((a, k) for a in later), *((k, b) for b in later)]:
                self._at_block[a, b] = self._room
                self._room += int(self._pads[a] * self._sizes[b])

    def _share(self, first: np.ndarray, place: np.ndarray) -> None:
        """Hand the work over to the compiled functions, in the order in which it is done."""
        at, later, nodes = self._at_block, self._later, range(len(self._sizes))
        z, size, pads = np.cumsum([0, *self._pads]), self._sizes, self._pads
        width = self._lib.fc_nodes_width()
        height = pads // width
        before: list[list[int]] = [[] for _ in nodes]
        for k in nodes:
            for a in later[k]:
                before[a].append(k)
        left = [[(z[j], at[k, j], size[j]) for j in before[k]] for k in nodes]
        right = [[(z[j], at[k, j], size[j]) for j in later[k]] for k in nodes]
        below = [[(at[a, k], height[a]) for a in later[k]] for k in nodes]
        product = [
            [(at[a, b], at[a, k], at[k, b], height[a], size[b]) for a in later[k] for b in later[k]]
            for k in nodes
        ]
        arrays = {
            "first": first, "place": place, "start": self._start, "z_start": z, "height": height,
            "diagonal": [at[k, k] for k in nodes],
        }  # fmt: skip
        for name, lists in (
            ("left", left), ("right", right), ("below", below), ("product", product),
        ):  # fmt: skip
            arrays[name] = [number for each in lists for item in each for number in item] or [0]
            arrays[name + "_first"] = np.cumsum([0, *map(len, lists)])
        self._integers = {k: np.ascontiguousarray(v, np.int32) for k, v in arrays.items()}
        self._numbers = {
            "arena": aligned(np.zeros(self._room)), "z": aligned(np.zeros(z[-1])),
            "largest": np.zeros(len(first) - 1),
        }  # fmt: skip
        kinds = {"left": "fc_block *", "right": "fc_block *", "product": "fc_product *"}
        everything = (self._integers | self._numbers).items()
        self._c = self._ffi.new("fc_nodes *", {
            "n": len(first) - 1, "nodes": len(nodes), "size": self._room,
            **{k: self._ffi.cast(kinds[k], self._at(v)) if k in kinds else self._at(v)
               for k, v in everything},
        })  # fmt: skip
