"""Reference cells: nodes of Lagrange elements, facets, and which node of a facet is which node of
its cell. Numbering is Basix's throughout."""

from __future__ import annotations

from functools import cache

import basix
import numpy as np

CELLS = ("interval", "triangle", "quadrilateral", "tetrahedron", "hexahedron")
#: those with as few corners as their dimension allows
SIMPLICES = ("triangle", "tetrahedron")
#: cell -> cell of its facets
FACET = {
    "triangle": "interval", "quadrilateral": "interval",
    "tetrahedron": "triangle", "hexahedron": "quadrilateral",
}  # fmt: skip


def _type(cell: str) -> basix.CellType:
    return basix.CellType[cell]


@cache
def lagrange(cell: str, degree: int):
    """Basix's Lagrange element of a cell, as DOLFINx uses it."""
    return basix.create_element(
        basix.ElementFamily.P, _type(cell), degree, basix.LagrangeVariant.gll_warped,
        discontinuous=degree == 0,
    )  # fmt: skip


@cache
def lattice(cell: str, degree: int) -> np.ndarray:
    """Places of the nodes in the reference cell, (nodes, dimension)."""
    return lagrange(cell, degree).points


@cache
def entities(cell: str, dimension: int) -> tuple[tuple[int, ...], ...]:
    """Corners of each edge, face, ... of a cell."""
    return tuple(tuple(e) for e in basix.topology(_type(cell))[dimension])


@cache
def inner_nodes(cell: str, degree: int, dimension: int) -> tuple[tuple[int, ...], ...]:
    """Nodes in the inside of each edge, face, ... of a cell."""
    return tuple(tuple(e) for e in lagrange(cell, degree).entity_dofs[dimension])


@cache
def dimension(cell: str) -> int:
    """Dimension of a reference cell."""
    return len(basix.topology(_type(cell))) - 1


@cache
def facet_nodes(cell: str, degree: int) -> np.ndarray:
    """Nodes of the cell for the nodes of each facet in the facet's own order, facets x nodes."""
    d, small = dimension(cell), FACET[cell]
    rows = []
    for facet, corners in enumerate(entities(cell, d - 1)):
        row = np.zeros(len(lattice(small, degree)), int)
        for k in range(d):
            for own, inside in zip(entities(small, k), inner_nodes(small, degree, k), strict=True):
                whole = {corners[i] for i in own}
                place = next(i for i, e in enumerate(entities(cell, k)) if set(e) == whole)
                if k == d - 1:
                    place = facet
                row[list(inside)] = inner_nodes(cell, degree, k)[place]
        rows.append(row)
    return np.array(rows)


def nodes_of_facets(cell: str, degree: int, cells: np.ndarray, facets: np.ndarray) -> np.ndarray:
    """Nodes of facets in their own order, (k, nodes of a facet); of degree 1 their corners.

    Args:
        cell, degree: of the cells.
        cells: nodes of each cell, (m, nodes of a cell); of degree 1 its corners come first.
        facets: cell and number in the cell of each facet, (k, 2).
    """
    return cells[facets[:, :1], facet_nodes(cell, degree)[facets[:, 1]]]


@cache
def shape_functions(cell: str, degree: int, points: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """Values of the shape functions and their derivatives, (1 + dimension, points, nodes)."""
    return lagrange(cell, degree).tabulate(1, np.array(points))[..., 0]


def jacobians(slopes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Determinants of the maps from the reference cell, (m, p).

    Args:
        slopes: of the shape functions along each reference direction, (d, p, n).
        nodes: of each cell, m, (m, n, d).
    """
    a, *others = (z @ nodes for z in slopes)
    if len(others) == 1:
        (b,) = others
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    # written out: a fifth of the time of LAPACK's factors of each matrix
    return np.einsum("...i,...i->...", a, np.cross(*others))


@cache
def quadrature(cell: str, degree: int) -> tuple[tuple[tuple[float, ...], ...], np.ndarray]:
    """Points and weights on the reference cell."""
    points, weights = basix.make_quadrature(_type(cell), degree)
    return tuple(map(tuple, points)), weights
