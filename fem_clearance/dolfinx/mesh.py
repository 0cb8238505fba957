"""Meshes from DOLFINx: from its generators, gmsh, or files that it reads."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from dolfinx import fem
from dolfinx import mesh as dolfinx_mesh
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from .._backend import MPI
from ..core.ends import end_together
from ..core.spread import Spread
from ..errors import InputError
from ..meshes import cells as reference
from ..meshes.mesh import Mesh
from .link import Link, global_numbers, mirrored_facets, numbered, points_of
from .part import PartLink

logger = logging.getLogger(__name__)


@dataclass(frozen=True, repr=False)
class DolfinxMesh(Mesh):
    """A mesh that knows the DOLFINx mesh it was made of; see ``mesh``.

    Attributes:
        link: which cells and nodes of DOLFINx are which of these.
        cell_tags: of DOLFINx, or ``None``; ``tags``: name -> tag of its cells.
    """

    link: Any = None
    cell_tags: Any = field(default=None, compare=False)
    tags: dict[str, int] = field(default_factory=dict, compare=False)

    def __deepcopy__(self, memo: dict) -> DolfinxMesh:
        return self  # nothing of it changes, and DOLFINx's objects cannot be copied

    def space(self, degree: int) -> Any:
        """The vector-valued Lagrange space of a degree on the DOLFINx mesh; collective."""
        return fem.functionspace(self.link.mesh, ("Lagrange", degree, (self.dimension,)))

    def moved(self, by=(0, 0, 0), rotation=None, scale: float = 1.0) -> Mesh:
        """Not of these: Functions would be of one place and the mesh of another.

        Raises:
            InputError: always; it says what to do.
        """
        raise InputError(
            f"{self.source}: a mesh that DOLFINx shares is not moved here: change msh.geometry.x, "
            "then call fem_clearance.dolfinx.mesh."
        )

    def by_cells(self, values: Mapping[Any, float]) -> Any:
        """A Function that is constant on each cell, by the cells' tags; collective.

        Example:
            >>> E = rod.by_cells({"steel": 2.1e11, "bush": 1.1e11})

        Args:
            values: name or tag of cells -> number; every cell must have one.

        Raises:
            InputError: no cell tags, a name or tag that no cell has, cells without a value.
        """
        if self.cell_tags is None:
            raise InputError(f"{self.source}: by_cells needs cell tags: mesh(msh, cell_tags=tags).")
        result = fem.Function(fem.functionspace(self.link.mesh, ("DG", 0)))
        result.x.array[:] = np.nan
        for name, value in values.items():
            tag = self.tags.get(name, name)
            if not isinstance(tag, int | np.integer):
                known = ", ".join(map(repr, self.tags)) or "none"
                raise InputError(
                    f"{self.source}: no cells are called {name!r}; the names given are: {known}."
                )
            cells = self.cell_tags.find(tag)
            if not self.link.comm.allreduce(len(cells)):
                raise InputError(f"{self.source}: no cells have the tag {tag}.")
            result.x.array[cells] = value
        result.x.scatter_forward()
        missing = self.link.comm.allreduce(int(np.isnan(result.x.array[: self.link.own]).sum()))
        if missing:
            raise InputError(
                f"{self.source}: {missing} cells have none of the tags given to by_cells."
            )
        return result

    # --- Functions where a number is taken ------------------------------------------------------
    def nodal(self, f: Any, who: str, points: Any = None) -> tuple[Any, np.ndarray]:
        element, values = f.function_space.ufl_element(), self.link.values(f, who)
        if points is not None:
            basis = f.function_space.element.basix_element.tabulate(0, np.array(points))[0, ..., 0]
            values = np.einsum("pn,cnx->cpx", basis, values)
        return element, values


@dataclass(frozen=True, repr=False)
class DistributedMesh(DolfinxMesh):
    """A mesh of which each rank holds its own cells and those behind the marked facets of all."""

    def __post_init__(self):
        super().__post_init__()
        for number in ("box", "spacing", "curved", "count"):
            getattr(self, number)  # later only some ranks may ask for them

    @property
    def own(self) -> np.ndarray:
        return self.link.mine

    @cached_property
    def count(self) -> int:  # type: ignore[override]
        return self.link.comm.allreduce(self.link.own)

    def of_ranks(self, found: Any) -> list[Any]:
        return self.link.comm.allgather(found)

    def cell_arguments(self) -> dict[str, Any]:
        own = self.link.mine
        return {
            "geometry": (self.points, self.cells[own]), "count": len(own),
            "original": self.link.numbers[own], "total": self.count,
        }  # fmt: skip

    def whole(self, who: str) -> None:
        raise InputError(
            f"{who} needs the whole mesh on each rank, and {self.source} is distributed: call "
            "fem_clearance.dolfinx.mesh without distributed=True."
        )

    def collected(self, who: str) -> Mesh:
        known = {name: self._by_number(z) for name, z in self.facets.items()}
        logger.info("%s: each rank collects the whole mesh of %s", who, self.source)
        return _made(Link(self.link.mesh), known, self.cell_tags, self.tags)

    def check_ranks(self, comm: Any, who: str) -> None:
        if MPI.Comm.Compare(comm, self.link.comm) not in (MPI.IDENT, MPI.CONGRUENT):
            raise InputError(
                f"{who}: its mesh is distributed over other ranks than the system runs on: give "
                "System(comm=msh.comm)."
            )

    def boundary(self) -> np.ndarray:
        self.whole("a set of facets without a tag")
        raise AssertionError

    def surface(self) -> np.ndarray:
        rows = facets_of(self.link, outer_facets(self.link))
        at = np.searchsorted(self.link.numbers, rows[:, 0])
        own = np.isin(at, self.link.mine)
        return np.stack([at[own], rows[own, 1]], axis=1)

    def _with_facets(self, sets: dict[str, np.ndarray]) -> Mesh:
        link = copy(self.link)
        known = {name: self._by_number(z) for name, z in self.facets.items()}
        for name, z in sets.items():
            rows = np.concatenate(self.of_ranks(self._by_number(z)))
            known[name] = rows[np.lexsort(rows.T[::-1])]
        return _made(link, known, self.cell_tags, self.tags)

    def _by_number(self, facets: np.ndarray) -> np.ndarray:
        """Facets with the global numbers of their cells instead of the local ones."""
        return np.stack([self.link.numbers[facets[:, 0]], facets[:, 1]], axis=1)

    def any_rank(self, flags: np.ndarray) -> np.ndarray:
        order, spread = self.share(self.degree)
        result = np.empty_like(flags)
        result[order] = spread.fetch(spread.add(flags[order], np.logical_or))
        return result

    def share(self, degree: int) -> tuple[np.ndarray, Spread]:
        link, V = self.link, fem.functionspace(self.link.mesh, ("Lagrange", degree))
        index, (cells, nodes) = V.dofmap.index_map, self.nodes(degree)
        with_cells = np.isin(np.arange(index.size_local), V.dofmap.list[: link.own])
        if link.comm.allreduce(int(np.sum(~with_cells))):
            raise InputError(
                f"{self.source}: some ranks own nodes of it without a cell there, as happens with "
                "dolfinx.mesh.create_submesh: call fem_clearance.dolfinx.mesh without "
                "distributed=True, or mesh the part alone."
            )
        rows = global_numbers(index)[V.dofmap.list[: link.own]]
        numbers = np.empty(len(nodes), np.int64)
        numbers[cells] = link.gathered(link.ours(rows, points_of(V)))
        order, place = np.argsort(numbers), np.empty(len(nodes), np.int64)
        place[order] = np.arange(len(nodes))
        return order, link.spread(index, place[cells], numbers[order], self.dimension)

    def share_cells(self, width: int) -> Spread:
        comm, ends = self.link.comm, np.cumsum(self.of_ranks(self.link.own))
        numbers = ends[comm.rank] - self.link.own + np.arange(self.link.own)
        return Spread(comm, ends, numbers, lambda: self.link.numbers[self.own], width)

    def parts(self) -> np.ndarray:
        (cells, nodes), (order, spread) = self.nodes(1), self.share(1)
        mine = super().parts()  # of what is held here
        labels = np.zeros(len(nodes), np.int64)
        labels[cells] = mine[:, None]
        counts = self.of_ranks(int(mine.max(initial=-1)) + 1)
        start = sum(counts[: self.link.comm.rank])
        theirs = spread.fetch((start + labels[order])[spread.own])  # what the owners call a part
        pairs = np.unique(np.stack([start + labels[order], theirs], axis=1), axis=0)
        rows, cols = np.concatenate(self.of_ranks(pairs)).T
        graph = coo_matrix((np.ones(len(rows)), (rows, cols)), (sum(counts), sum(counts)))
        return connected_components(graph, directed=False)[1][start + mine]


def mesh(
    msh: Any,
    facet_tags: Any = None,
    names: Mapping[str, Any] | None = None,
    cell_tags: Any = None,
    *,
    distributed: bool = False,
) -> DolfinxMesh:
    """The mesh of a ``Solid`` from a DOLFINx mesh; collective.

    The DOLFINx mesh may be distributed over any number of ranks. By default every rank then holds
    all of it. The displacement of the solid has the nodes of ``body.space()``.

    Example:
        >>> data = dolfinx.io.gmsh.model_to_mesh(gmsh.model, MPI.COMM_WORLD, 0, gdim=3)
        >>> rod = mesh(data.mesh, data.facet_tags, data.physical_groups, data.cell_tags)
        >>> system.add(Solid(rod, steel, clamped="foot"))

    Args:
        msh: ``dolfinx.mesh.Mesh`` of triangles, quadrilaterals (in the plane), tetrahedra or
            hexahedra, of degree 1 or 2 (curved edges), in m.
        facet_tags: ``dolfinx.mesh.MeshTags`` of facets on the surface.
        names: name -> tag, or what ``model_to_mesh`` gives as ``physical_groups``; default: the
            tags themselves are the names, ``"1"``, ``"2"``, ...
        cell_tags: ``MeshTags`` of cells, for ``by_cells``; ``names`` may name them, too.
        distributed: each rank holds only its own cells and those behind the tagged facets, so that
            it needs less memory. All facets on which loads, clamps, joints or films act must be
            tagged, or chosen by the method ``marked`` of the mesh.

    Raises:
        InputError: cells that no solid has, tags of something else, facets inside of the body,
            names without facets.
    """
    if not isinstance(msh, dolfinx_mesh.Mesh):
        raise InputError(
            f"mesh takes a dolfinx.mesh.Mesh, got {msh!r}"
            + ("; give its .mesh." if hasattr(msh, "mesh") else ".")
        )
    _check(msh)
    d = msh.topology.dim
    end_together(msh.comm)
    link: Link = PartLink(msh) if distributed else Link(msh)
    facets, cells = _tags(names, facet_tags, d - 1), _tags(names, cell_tags, d)
    named = {n for n, tag in cells.items() if link.comm.allreduce(len(cell_tags.find(tag)))}
    return _made(link, _facet_sets(link, facet_tags, facets, named), cell_tags, cells)


def _made(
    link: Link, sets: dict[str, np.ndarray], cell_tags: Any, tags: dict[str, int]
) -> DolfinxMesh:
    """The mesh with sets of facets, each given by the global number of its cell and its own number
    within the cell; collective."""
    geometry, index = link.mesh.geometry, link.mesh.geometry.index_map()
    lattice = reference.lattice(link.cell, geometry.cmaps[0].degree)
    rows = link.ours(geometry.dofmaps[0], lattice)[: link.own]
    make: type[DolfinxMesh] = DolfinxMesh
    if isinstance(link, PartLink):
        make, sets = DistributedMesh, link.hold(sets)
    numbers = link.gathered(numbered(link.comm, index, geometry.input_global_indices)[rows])
    x = link.gathered(geometry.x[rows]).reshape(-1, 3)
    _, first, nodes = np.unique(numbers, return_index=True, return_inverse=True)
    return make(
        link.cell, x[first], nodes.reshape(numbers.shape), sets, geometry.cmaps[0].degree,
        f"dolfinx mesh {link.mesh.name!r}", link, cell_tags, tags,
    )  # fmt: skip


def tagged_facets(whole: DolfinxMesh, tags: Any, names: Mapping[str, int]) -> np.ndarray:
    """Cell and number in the cell of the facets with some tags, (facets, 2); collective.

    Args:
        whole: the mesh.
        tags: ``MeshTags`` of facets on its surface.
        names: name -> tag of those wanted.

    Raises:
        InputError: tags of something else, without facets, or of facets inside of the body.
    """
    found = _facet_sets(whole.link, tags, _tags(names, tags, whole.dimension - 1), set())
    return np.concatenate([*found.values()])


def _check(msh: Any) -> None:
    """Refuse cells that no solid has."""
    what = f"the dolfinx mesh {msh.name!r}"
    types = msh.topology.entity_types[-1]
    if len(types) > 1:
        raise InputError(
            f"{what} mixes {', '.join(t.name for t in types)}; a solid takes cells of one kind."
        )
    d = msh.topology.dim
    if types[0].name not in reference.FACET:
        raise InputError(f"{what} is of the cell {types[0].name}; a solid's: {_CELLS}.")
    if msh.geometry.dim != d:
        raise InputError(
            f"{what} is a surface of {types[0].name}s in space; a plane solid needs one with two "
            "coordinates (model_to_mesh(..., gdim=2))."
        )
    degree = msh.geometry.cmaps[0].degree
    if degree > 2:
        raise InputError(f"{what} has edges of degree {degree}; those of a solid are of 1 or 2.")


_CELLS = "triangle, quadrilateral, tetrahedron or hexahedron"


def _tags(names: Mapping[str, Any] | None, tags: Any, dimension: int) -> dict[str, int]:
    """Name -> tag of what has this dimension."""
    if tags is None:
        return {}
    if not hasattr(tags, "find"):
        raise InputError(f"mesh: tags are a dolfinx.mesh.MeshTags, got {tags!r}.")
    if tags.dim != dimension:
        what = "cells" if dimension == tags.topology.dim else "facets"
        raise InputError(
            f"mesh: the tags given for {what} are of dimension {tags.dim}, these are of "
            f"{dimension}."
        )
    if names is None:
        found = tags.topology.comm.allgather(np.unique(tags.values))
        return {str(v): int(v) for v in np.unique(np.concatenate(found))}
    result = {}
    for name, tag in names.items():
        if getattr(tag, "dim", dimension) == dimension:  # physical groups of gmsh know theirs
            result[name] = int(getattr(tag, "tag", tag))
    return result


def outer_facets(link: Link) -> np.ndarray:
    """DOLFINx's local numbers of this rank's facets on the surface; collective."""
    topology = link.mesh.topology
    d = topology.dim
    topology.create_connectivity(d - 1, d)
    topology.create_connectivity(d, d - 1)
    return dolfinx_mesh.exterior_facet_indices(topology)


def facets_of(link: Link, facets: np.ndarray) -> np.ndarray:
    """Number of the cell among those of all ranks, and number in the cell, of some facets by their
    local numbers, (k, 2); after ``outer_facets``."""
    topology = link.mesh.topology
    d = topology.dim
    to_cells, to_facets = topology.connectivity(d - 1, d), topology.connectivity(d, d - 1)
    rows = []
    for facet in facets:
        cell = to_cells.links(facet)[0]
        number = int(np.flatnonzero(to_facets.links(cell) == facet)[0])
        if link.inverted[cell]:
            number = int(mirrored_facets(link.cell)[number])
        rows.append((link.cells[cell], number))
    return np.array(rows, int).reshape(-1, 2)


def _facet_sets(
    link: Link, tags: Any, names: dict[str, int], of_cells: set[str]
) -> dict[str, np.ndarray]:
    """Cell and number in the cell of each facet with a tag, by name."""
    if tags is None:
        return {}
    outer, topology = outer_facets(link), link.mesh.topology
    owned = topology.index_map(topology.dim - 1).size_local
    result = {}
    for name, tag in names.items():
        given = tags.find(tag)
        given = given[given < owned]
        rows = facets_of(link, np.intersect1d(given, outer))
        counts = link.comm.allreduce(np.array([len(given), len(rows)]))
        if not counts[0] and name in of_cells:
            continue  # the name of cells alone
        if not counts[0]:
            known = np.unique(np.concatenate(link.comm.allgather(tags.values)))
            raise InputError(
                f"mesh: no facets have the tag {tag} of {name!r}; the tags there are: "
                f"{', '.join(map(str, known)) or 'none'}."
            )
        if counts[1] < counts[0]:
            raise InputError(
                f"mesh: {counts[0] - counts[1]} of the {counts[0]} facets {name!r} (tag {tag}) lie "
                "inside of the body; loads, joints and clamps act on its surface."
            )
        whole = np.concatenate(link.comm.allgather(rows))
        result[name] = whole[np.lexsort(whole.T[::-1])]
    return result
