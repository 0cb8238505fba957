"""Orders of the nodes of a mesh: for elimination, and for sharing them out."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from .._backend import PETSc


def dissected(cells: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Nodes in the order of nested dissection (George 1973), by which factors of a surface fill in
    little: of n nodes n log n, against n^(3/2) along the lines of a mesh.

    Args:
        cells: nodes that are coupled with each other, one row a cell.
        nodes: those to be put in order.
    """
    here = np.full(max(cells.max(initial=-1), nodes.max(initial=-1)) + 1, -1)
    here[nodes] = np.arange(len(nodes))
    size = cells.shape[1]
    rows, cols = here[np.repeat(cells, size, axis=1).ravel()], here[np.tile(cells, size).ravel()]
    inside = (rows >= 0) & (cols >= 0)
    every = np.arange(len(nodes))
    rows, cols = np.append(rows[inside], every), np.append(cols[inside], every)
    graph = csr_matrix((np.ones(len(rows)), (rows, cols)), (len(nodes), len(nodes)))
    pattern = tuple(z.astype(PETSc.IntType) for z in (graph.indptr, graph.indices))
    A = PETSc.Mat().createAIJ(graph.shape, csr=(*pattern, graph.data), comm=PETSc.COMM_SELF)
    order, same = A.getOrdering("nd")
    result = nodes[order.indices]
    for item in (order, same, A):
        item.destroy()
    return result


#: runs that lie together in space; not the number of ranks, on which no number may depend
PARTS = 64


def bisected(points: np.ndarray, parts: int = PARTS) -> np.ndarray:
    """Order of points (n, 3) in which equal runs lie together in space: they are bisected across
    their longest extent again and again, into ``parts``."""
    if parts == 1 or len(points) < 2:
        return np.arange(len(points))
    left = parts // 2
    order = np.argsort(points[:, np.ptp(points, axis=0).argmax()], kind="stable")
    cut = len(points) * left // parts
    first, second = order[:cut], order[cut:]
    return np.concatenate(
        [first[bisected(points[first], left)], second[bisected(points[second], parts - left)]]
    )
