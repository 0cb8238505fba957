"""The nodes of a DOLFINx space and their places among a field's unknowns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.ordering import bisected
from ..core.spread import Spread
from ..meshes import cells as reference
from .link import global_numbers, points_of
from .mesh import DistributedMesh, DolfinxMesh


class SpaceNodes:
    """The nodes of a space, all of them on each rank; collective.

    Args:
        V: the space.
        source: mesh of its cells.

    Attributes:
        cells: nodes of each cell held here, (cells, nodes of a cell).
        local: node for each local one of DOLFINx, ghosts too.
        slot: place of each node among the unknowns.
        spread: which nodes this rank holds, where it does not hold all.
    """

    spread: Spread | None = None

    def __init__(self, V: Any, source: DolfinxMesh):
        self._space, self._link = V, source.link
        self.cells, self.local = source.link.dofmap(V)
        basis = reference.lagrange(source.cell, source.degree).tabulate(0, points_of(V))[0, ..., 0]
        places = np.zeros((self.cells.max() + 1, 3))
        places[self.cells] = np.einsum("pn,mnx->mpx", basis, source.points[source.cells])
        order = bisected(places)
        self.slot = np.empty(len(order), int)
        self.slot[order] = np.arange(len(order))

    def gathered(self, array: np.ndarray) -> np.ndarray:
        """Values of local dofs of the space at the nodes held here, (nodes, width); collective."""
        V, link = self._space, self._link
        rows = link.ours(array.reshape(-1, V.dofmap.bs)[V.dofmap.list], points_of(V))
        result = np.zeros((len(self.slot), V.dofmap.bs))
        result[self.cells] = link.gathered(rows[: link.own])
        return result


class PartNodes(SpaceNodes):
    """The nodes of a space of which each rank holds those that DOLFINx gives it, and those of all
    ranks that are known.

    Args:
        known: local nodes of DOLFINx at which the field is known.
    """

    def __init__(self, V: Any, source: DistributedMesh, known: np.ndarray):
        self._space, link = V, source.link
        index = V.dofmap.index_map
        numbers = global_numbers(index)
        shown = link.comm.allgather(numbers[known[known < index.size_local]])
        held = np.unique(np.concatenate([numbers, *shown]))
        self.local = np.searchsorted(held, numbers)
        self.cells = self.local[link.gathered(link.ours(V.dofmap.list, points_of(V))[: link.own])]
        self.slot = np.arange(len(held))
        self.spread = link.spread(index, self.cells, held, V.dofmap.bs)

    def gathered(self, array: np.ndarray) -> np.ndarray:
        rows = array.reshape(-1, self._space.dofmap.bs)
        assert self.spread is not None
        return self.spread.fetch(rows[: self._space.dofmap.index_map.size_local])


def nodes_of(V: Any, source: DolfinxMesh, known: np.ndarray) -> SpaceNodes:
    """The nodes of a space on a mesh, of which each rank may hold a part; collective.

    Args:
        known: local nodes of DOLFINx at which the field is known.
    """
    if isinstance(source, DistributedMesh):
        return PartNodes(V, source, known)
    return SpaceNodes(V, source)
