"""Parts of DOLFINx meshes: each rank's own cells, and those of all ranks behind some facets."""

from __future__ import annotations

from typing import Any

import numpy as np

from .link import Link


class PartLink(Link):
    """A DOLFINx mesh of which each rank holds its own cells and those of all ranks behind some
    facets: what acts on these facets is the same on every rank. Before ``hold`` it holds none.

    Attributes:
        numbers: number of each cell held among all, ascending.
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
