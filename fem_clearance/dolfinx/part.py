"""Parts of DOLFINx meshes: each rank's own cells, and those of all ranks behind some facets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.spread import Spread
from .link import Link, ends_of


class PartLink(Link):
    """A DOLFINx mesh of which each rank holds its own cells and those of all ranks behind some
    facets: what acts on these facets is the same on every rank. Before ``hold`` it holds none.

    Attributes:
        mine: places among these of the own ones.
    """

    def __init__(self, msh: Any):
        super().__init__(msh)
        self.hold({})

    def hold(self, facets: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Hold the cells of some facets.

        Args:
            facets: name -> number of the cell and number in the cell of each, the same on every
                rank.

        Returns:
            The same with the places of the cells among those held.
        """
        own = self.cells[: self.own]
        behind = np.unique(np.concatenate([np.zeros(0, int), *(z[:, 0] for z in facets.values())]))
        self.numbers = np.union1d(own, behind)
        self.mine = np.searchsorted(self.numbers, np.sort(own))
        self._shown = np.flatnonzero(np.isin(own, behind))
        return {
            name: np.stack([np.searchsorted(self.numbers, z[:, 0]), z[:, 1]], axis=1)
            for name, z in facets.items()
        }

    def held(self, cells: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.numbers, cells)

    def gathered(self, rows: np.ndarray) -> np.ndarray:
        """Rows of this rank's cells, those of the cells held here in their order; collective."""
        own = self.cells[: self.own]
        result = np.empty((len(self.numbers), *rows.shape[1:]), rows.dtype)
        shown = own[self._shown], np.ascontiguousarray(rows[self._shown])
        for numbers, values in [*self.comm.allgather(shown), (own, rows)]:
            result[np.searchsorted(self.numbers, numbers)] = values
        return result

    def spread(self, index: Any, cells: np.ndarray, numbers: np.ndarray, width: int) -> Spread:
        """Which nodes of a space are held here.

        Args:
            index: index map of the space's nodes.
            cells: nodes of each cell held here, places in ``numbers``.
            numbers: DOLFINx's number of each node held here, ascending.
            width: values at a node.
        """

        def keys() -> np.ndarray:
            first = np.full(len(numbers), np.iinfo(np.int64).max)
            size = cells.shape[1]
            mine = self.numbers[self.mine][:, None] * size + np.arange(size)
            np.minimum.at(first, cells[self.mine], mine)
            return result.add(first, np.minimum)

        result = Spread(self.comm, ends_of(index, self.comm), numbers, keys, width)
        return result
