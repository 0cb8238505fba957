"""How the cells and dofs of a DOLFINx mesh, spread over ranks, are numbered in a mesh that every
rank holds.

The order is that of the mesh's input, whatever the number of ranks. Cells whose corners are given
clockwise (which DOLFINx allows) are mirrored: ``ours`` puts the rows of dof maps accordingly.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np

from .. import _backend  # noqa: F401  (MPI first)
from ..core.spread import fetch, places
from ..errors import InputError
from ..meshes import cells as reference


def mirrored(cell: str, points: np.ndarray) -> np.ndarray:
    """Points of the reference cell with its first two corners (of quadrilaterals and hexahedra: its
    first two axes) exchanged."""
    image = np.array(points)
    if cell in reference.SIMPLICES:
        image[:, 0] = 1 - points.sum(axis=1)
    else:
        image[:, :2] = points[:, 1::-1]
    return image


def mirror_image(cell: str, points: np.ndarray) -> np.ndarray:
    """Which of the points each one becomes in the mirror.

    Raises:
        ValueError: points that are no mirror images of each other.
    """
    distance = np.linalg.norm(mirrored(cell, points)[:, None] - points[None], axis=2)
    if np.any(distance.min(axis=1) > 1e-9):
        raise ValueError("the points are not symmetric")
    return distance.argmin(axis=1)


@cache
def mirrored_facets(cell: str) -> np.ndarray:
    """Number of each facet of the reference cell in the mirror."""
    corners = reference.lattice(cell, 1)
    image = mirror_image(cell, corners)
    facets = [set(e) for e in reference.entities(cell, reference.dimension(cell) - 1)]
    return np.array([facets.index({int(image[k]) for k in facet}) for facet in facets])


class Link:
    """A DOLFINx mesh and its cells' numbers among those of all ranks; collective.

    Args:
        msh: ``dolfinx.mesh.Mesh``.

    Attributes:
        mesh, comm: of DOLFINx.
        cell: Basix's name of its cells.
        own: cells of this rank.
        cells: number of each local cell, ghosts too, among all.
        numbers: number of each cell held here among all, ascending.
    """

    def __init__(self, msh: Any):
        self.mesh, self.comm = msh, msh.comm
        self.cell = msh.topology.cell_type.name
        cells = msh.topology.index_map(msh.topology.dim)
        self.own = cells.size_local
        self.cells = numbered(self.comm, cells, input_numbers(msh))
        self.numbers = np.arange(cells.size_global)
        self.inverted = self._inverted()

    def __deepcopy__(self, memo: dict) -> Link:
        return self  # DOLFINx's objects cannot be copied

    def _inverted(self) -> np.ndarray:
        """Which local cells are given clockwise: all their corners' Jacobians are negative."""
        points = tuple(map(tuple, reference.lattice(self.cell, 1)))
        slopes = reference.shape_functions(self.cell, 1, points)[1:]
        geometry = self.mesh.geometry
        corners = geometry.dofmaps[0][:, : len(points)]
        nodes = geometry.x[corners][..., : geometry.dim]
        return np.all(reference.jacobians(slopes, nodes) < 0, axis=1)

    @cached_property
    def _order(self) -> np.ndarray:
        """The cells of all ranks, one after the other, in the order of the mesh; collective."""
        return np.argsort(np.concatenate(self.comm.allgather(self.cells[: self.own])))

    def gathered(self, rows: np.ndarray) -> np.ndarray:
        """Rows of this rank's cells, those of all ranks in the order of the mesh; collective."""
        return np.concatenate(self.comm.allgather(np.ascontiguousarray(rows)))[self._order]

    def held(self, cells: np.ndarray) -> np.ndarray:
        """Places among the cells held here of some that are, by number."""
        return cells

    def ours(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Rows of local cells, the columns belonging to ``points`` of the reference cell, as the
        mirrored cells have them; also the inverse of that."""
        rows = np.array(rows)
        flip = self.inverted[: len(rows)]
        if flip.any():
            rows[flip] = rows[flip][:, mirror_image(self.cell, np.asarray(points))]
        return rows

    # --- spaces and Functions -------------------------------------------------------------------
    def dofmap(self, V: Any) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of all cells in a space, (cells, nodes of a cell), numbered in the order in which
        the cells have them; and the number of each local node of DOLFINx, ghosts too. Collective.
        """
        numbers = global_numbers(V.dofmap.index_map)
        rows = self.ours(V.dofmap.list, points_of(V))
        whole = self.gathered(numbers[rows[: self.own]])
        names, first, place = np.unique(whole, return_index=True, return_inverse=True)
        number = np.empty(len(names), np.int64)
        number[np.argsort(first)] = np.arange(len(names))
        return number[place].reshape(whole.shape), number[np.searchsorted(names, numbers)]

    def values(self, f: Any, who: str) -> np.ndarray:
        """A Function's values at the nodes of all cells, (cells, nodes, components); collective.

        Raises:
            InputError: of another mesh, or of a space that has no nodes.
        """
        V = f.function_space
        if V.mesh is not self.mesh and V.mesh._cpp_object is not self.mesh._cpp_object:
            raise InputError(
                f"{who}: the Function {f.name!r} lives on another DOLFINx mesh than the one given "
                "to fem_clearance.dolfinx.mesh: interpolate it onto that one first."
            )
        nodes = f.x.array.reshape(-1, V.dofmap.bs)[V.dofmap.list[: self.own]]
        return self.gathered(self.ours(nodes, points_of(V)))


def points_of(V: Any) -> np.ndarray:
    """Nodes of a space in the reference cell, (nodes, dimension).

    Raises:
        InputError: the space has none, or its dofs are permuted from cell to cell.
    """
    element = V.element
    try:
        points = element.basix_element.points
        fine = element.basix_element.interpolation_is_identity
    except (RuntimeError, TypeError):  # mixed elements have none
        fine = False
    if not fine or element.needs_dof_transformations:
        raise InputError(
            f"the space of {V.ufl_element()} has no nodes that cells share as they are: take "
            'Lagrange elements of degree 1 or 2 or "DG" ones, interpolating into them where needed.'
        )
    return points


def input_numbers(msh: Any) -> np.ndarray:
    """Numbers of the local cells in the mesh's input; none if it has no such numbers, as a mesh by
    ``create_submesh``."""
    try:
        return msh.topology.original_cell_index
    except RuntimeError:
        return np.zeros(0, np.int64)


def global_numbers(index: Any) -> np.ndarray:
    """DOLFINx's numbers of the local entities of an index map, ghosts too."""
    return index.local_to_global(np.arange(index.size_local + index.num_ghosts, dtype=np.int32))


def numbered(comm: Any, index: Any, given: Any) -> np.ndarray:
    """Numbers of the local entities of an index map, ghosts too, in the order of the numbers they
    were given by their input, where those are distinct; else DOLFINx's; collective."""
    own, there = index.size_local, global_numbers(index)
    numbers = np.asarray(given, np.int64)[:own]
    known = all(comm.allgather(len(numbers) == own))
    order = places(comm, numbers) if known else None
    return there if order is None else fetch(comm, ends_of(index, comm), there, order)


def ends_of(index: Any, comm: Any) -> np.ndarray:
    """End of each rank's run of an index map's numbers; collective."""
    return np.cumsum(comm.allgather(index.size_local))
