"""Solids as a whole on rank 0, for pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.blocks import Block
from ...core.spread import places
from ...meshes.mesh import Mesh
from .nodes import Nodal


class WholeSolid(Nodal):
    """All nodes and cells of a solid on rank 0, in an order that does not depend on the ranks; for
    a solid that all ranks hold, the solid itself. The system must be assembled; collective.

    Attributes:
        here: whether this rank has them.
    """

    def __init__(self, solid: Any):
        self.name, self.degree, self.spread = solid.name, solid.degree, solid.spread
        self._solid, self.here = solid, self.spread is None or self.spread.comm.rank == 0
        self.mesh, self.nodes, self.cells = solid.mesh, solid.nodes, solid.cells
        self.slot, self.block = solid.slot, solid.block
        if self.spread is None:
            return
        found = places(self.spread.comm, self.spread.keys())
        assert found is not None  # no two nodes have the same place in a cell
        #: number of each node held here among all
        self._number = self.spread.fetch(found)[solid.slot]
        about, block = solid.mesh.cell_arguments(), solid.block
        pieces = (about["original"], self._number[solid.cells[solid.mesh.own]])
        cells = _put(self.spread.comm.gather(pieces), about["total"])
        values, fixed, numbers, nodes = map(
            self.collected,
            (*(z.reshape(-1, self.dimension)[solid.slot]
               for z in (block.values, block.fixed, block.numbers)), solid.nodes),
        )  # fmt: skip
        if not self.here:
            return
        self.nodes, self.cells, self.slot = nodes, cells, np.arange(len(nodes))
        self.block = Block(block.owner, block.what, values, block.role, fixed=fixed)
        self.block.numbers = numbers.ravel()
        self.mesh = Mesh(solid.mesh.cell, nodes, cells, {}, solid.degree, solid.mesh.source)

    @property
    def position(self) -> np.ndarray:
        return self._solid.position

    def at_nodes(self, values: np.ndarray, rates: bool = False) -> np.ndarray:
        if self.spread is None:  # condensed solids have their own method
            return self._solid.at_nodes(values, rates)
        return super().at_nodes(values, rates)

    def collected(self, rows: Any) -> Any:
        """Rows of all nodes on rank 0, from those of the nodes that each rank holds; collective."""
        if self.spread is None:
            return rows
        own = np.argsort(self._solid.slot)[self.spread.own]
        return _put(self.spread.comm.gather((self._number[own], rows[own])), self.spread.count)


def _put(pieces: list[tuple[np.ndarray, np.ndarray]] | None, count: int) -> Any:
    """Rows by their numbers."""
    if pieces is None:
        return None
    result = np.empty((count, *pieces[0][1].shape[1:]), pieces[0][1].dtype)
    for numbers, rows in pieces:
        result[numbers] = rows
    return result
