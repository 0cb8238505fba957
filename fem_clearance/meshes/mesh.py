"""Meshes of solids: nodes, cells and named sets of facets, as plain arrays.

Every rank holds the mesh (but for ``dolfinx.mesh(distributed=True)``); the cells of the running
system are partitioned over the ranks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from .. import checks, markup
from ..core.ordering import bisected
from ..core.spread import Spread
from ..errors import InputError
from . import cells as reference
from .arrays import check_arrays

#: number of cells that are integrated at once
CHUNK = 4096
#: remedy where a DOLFINx mesh is needed
_DOOR = "make the mesh by fem_clearance.dolfinx.mesh(msh)"


@dataclass(frozen=True)
class Mesh:
    """A mesh of one kind of cell.

    Attributes:
        cell: ``"triangle"``, ``"quadrilateral"``, ``"tetrahedron"`` or ``"hexahedron"``.
        points: nodes of the geometry, m, (n, 3).
        cells: nodes of each cell in Basix's order, (m, nodes of a cell).
        facets: name -> facets on the surface, (k, 2): cell and its facet's number.
        degree: of the geometry, 1 or 2 (curved edges).
        source: for messages: file, or how it was made.

    Raises:
        InputError: arrays of another shape, cells turned inside out or given twice, no cells, empty
            facet sets, numbers not finite.

    Example::

        corners = np.array([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0), (0, 0.1, 0)])  # m
        triangles = np.array([(0, 1, 2), (0, 2, 3)])
        fc.meshes.Mesh("triangle", corners, triangles, {"left": np.array([(0, 3)])})
    """

    cell: str
    points: np.ndarray
    cells: np.ndarray
    facets: dict[str, np.ndarray] = field(default_factory=dict)
    degree: int = 1
    source: str = "mesh"

    def __post_init__(self):
        checks.choice(f"{self.source}: cell", self.cell, tuple(reference.FACET))
        checks.choice(f"{self.source}: degree", self.degree, (1, 2))
        nodes = len(reference.lattice(self.cell, self.degree))
        check_arrays(self.source, self.points, self.cells, nodes, self.facets)
        if not self.count:
            raise InputError(f"{self.source} has no cells.")
        smallest = self._jacobians().min(axis=1)[self.own]
        bad = np.flatnonzero(smallest <= 0)
        place = (bad[0], self.centers[self.own][bad[0]]) if len(bad) else (0, None)
        if found := [z for z in self.of_ranks((len(bad), *place)) if z[0]]:
            raise InputError(
                f"{self.source}: {sum(z[0] for z in found)} of {self.count} cells are inverted or "
                f"flat; the first is cell {found[0][1]} at {checks.listed(found[0][2])} m."
            )
        once, times = np.unique(np.sort(self.cells, axis=1), axis=0, return_counts=True)
        double = len(self.cells) - len(once)
        middle = self.points[once[times.argmax()]].mean(axis=0) if double else None
        if again := [z for z in self.of_ranks((double, middle)) if z[0]]:
            raise InputError(
                f"{self.source}: {again[0][0]} cells are given more than once, one of them at "
                f"{checks.listed(again[0][1])} m."
            )
        for name, facets in self.facets.items():
            if not len(facets):
                raise InputError(
                    f"{self.source}: the facet set {name!r} is empty; check the condition or "
                    "the group that defines it."
                )

    # --- representation -------------------------------------------------------------------------
    def _about(self) -> dict[str, str]:
        """Its main numbers, in words."""
        shape = {"nodes": str(len(self.points)), "cells": f"{self.count} x {self.cell}"}
        if self.degree > 1:
            shape["edges"] = f"of degree {self.degree}"
        shape["size"] = f"{' x '.join(f'{x:.4g}' for x in self.size)} m"
        shape["facets"] = ", ".join(f"{name} ({len(f)})" for name, f in self.facets.items()) or "-"
        return shape

    def __repr__(self) -> str:
        shape = self._about()
        return f"<Mesh {self.source}: {', '.join(f'{k} {v}' for k, v in shape.items())}>"

    def _repr_html_(self) -> str:
        title = markup.paragraph(f"Mesh {self.source}")
        return title + markup.table(("", ""), self._about().items())

    # --- overridden where each rank holds a part of the mesh ------------------------------------
    @property
    def own(self) -> slice | np.ndarray:
        """Which of the cells held here belong to this rank."""
        return slice(None)

    @property
    def count(self) -> int:
        """Number of cells, on all ranks."""
        return len(self.cells)

    def of_ranks(self, found: Any) -> list[Any]:
        """What each rank has found on its own cells; a single value where all ranks hold all
        cells. Collective."""
        return [found]

    def cell_arguments(self) -> dict[str, Any]:
        """Arguments of the ``Cell`` of this rank's own cells."""
        return {"geometry": (self.points, self.cells), "count": len(self.cells)}

    def whole(self, who: str) -> None:
        """Check that this rank holds the whole mesh.

        Raises:
            InputError: it does not.
        """

    def collected(self, who: str) -> Mesh:
        """The mesh, whole on each rank; collective where it is distributed."""
        return self

    def share(self, degree: int) -> tuple[np.ndarray, Spread | None]:
        """Order in which the nodes of a Lagrange field are numbered, and which ones this rank holds
        if it does not hold all; collective.

        Nodes near each other get numbers near each other: a rank's share is a piece of the body.
        """
        return bisected(self.nodes(degree)[1]), None

    def any_rank(self, flags: np.ndarray) -> np.ndarray:
        """Flags of the points, set where they are on any rank; collective."""
        return flags

    def share_cells(self, width: int) -> Spread | None:
        """The same for ``width`` values on each cell, of which this rank holds those of its own
        cells."""
        return None

    # --- geometry -------------------------------------------------------------------------------
    @property
    def dimension(self) -> int:
        """2 for plane solids, 3 in space."""
        return reference.dimension(self.cell)

    @property
    def centers(self) -> np.ndarray:
        """Mean of each cell's nodes, m, (m, 3)."""
        return self.points[self.cells].mean(axis=1)

    @cached_property
    def box(self) -> np.ndarray:
        """Corners of the box round the nodes, m, (2, 3)."""
        boxes = self.of_ranks(
            np.stack([self.points.min(0, initial=np.inf), self.points.max(0, initial=-np.inf)])
        )
        return np.stack([np.min(boxes, axis=0)[0], np.max(boxes, axis=0)[1]])

    @property
    def size(self) -> np.ndarray:
        """Extent along x, y and z, m."""
        return self.box[1] - self.box[0]

    @cached_property
    def spacing(self) -> float:
        """Typical edge of a cell, m."""
        ends = np.array(reference.entities(self.cell, 1))
        corners = self.points[self.cells[self.own, : ends.max() + 1]]
        edges = np.linalg.norm(corners[:, ends[:, 0]] - corners[:, ends[:, 1]], axis=2)
        sums, counts = np.transpose(self.of_ranks((edges.sum(), edges.size)))
        return float(sums.sum() / counts.sum())

    @cached_property
    def curved(self) -> bool:
        """Whether edges of the cells are curved."""
        if self.degree == 1:
            return False
        corners = self.points[self.cells[:, : len(reference.entities(self.cell, 0))]]
        places = reference.lattice(self.cell, self.degree)
        straight = reference.lagrange(self.cell, 1).tabulate(0, places)[0, ..., 0] @ corners
        gap = np.abs(self.points[self.cells] - straight).max(initial=0.0)
        return bool(max(self.of_ranks(gap)) > 1e-9 * self.size.max())

    def check_ranks(self, comm: Any, who: str) -> None:
        """Check that the ranks of a system hold what they must; collective.

        Raises:
            InputError: they do not.
        """
        if len(set(comm.allgather(self.digest()))) > 1:
            raise InputError(
                f"{who}: the ranks hold different meshes; each needs the whole one. Of a DOLFINx "
                "mesh, which is spread over ranks, fem_clearance.dolfinx.mesh makes it."
            )

    def digest(self) -> str:
        """What two equal meshes have in common."""
        arrays = (np.ascontiguousarray(z) for z in (self.points, self.cells))
        return sha256(b"".join(z.tobytes() for z in arrays)).hexdigest()

    def quadrature(
        self, degree: int = 4, which: slice | np.ndarray = slice(None)
    ) -> tuple[np.ndarray, np.ndarray]:
        """Points of a quadrature rule on each cell, or on some: weights, that is volume (of plane
        cells: area), m^3 (m^2), (m, p), and places, m, (m, p, 3)."""
        points, weights = reference.quadrature(self.cell, degree)
        values = reference.shape_functions(self.cell, self.degree, points)
        nodes = self.points[self.cells[which]]
        stretch = reference.jacobians(values[1:], nodes[..., : self.dimension])
        return stretch * weights, values[0] @ nodes

    def moments(self, density: np.ndarray | None = None, degree: int = 4) -> np.ndarray:
        """Volume (of plane cells: area), m^3 (m^2), and that times each coordinate of its centre,
        (4,); with the ``density`` at the points of each cell, (m, p), the same for the mass.

        Few cells are taken at once, because all points of a large mesh would need too much memory.
        """
        total, own = np.zeros(4), np.arange(len(self.cells))[self.own]
        for start in range(0, len(own), CHUNK):
            some = own[start : start + CHUNK]
            weights, x = self.quadrature(degree, some)
            if density is not None:
                weights = weights * density[some]
            total += [weights.sum(), *weights.ravel() @ x.reshape(-1, 3)]
        return sum(self.of_ranks(total))

    def _jacobians(self) -> np.ndarray:
        """Determinants of the map from the reference cell at its nodes, (m, nodes)."""
        places = tuple(map(tuple, reference.lattice(self.cell, self.degree)))
        slopes = reference.shape_functions(self.cell, self.degree, places)[1:]
        nodes = self.points[self.cells][..., : self.dimension]
        return reference.jacobians(slopes, nodes)

    def nodes(self, degree: int) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of a Lagrange field: cells x nodes, and their places in m, (n, 3)."""
        if degree == self.degree:
            return self.cells, self.points
        corners = self.cells[:, : len(reference.entities(self.cell, 0))]
        used, corners = np.unique(corners, return_inverse=True)
        result = np.zeros((len(self.cells), len(reference.lattice(self.cell, degree))), int)
        at = len(used)
        result[:, : corners.shape[1]] = corners
        for d in range(1, self.dimension + 1):
            inside = reference.inner_nodes(self.cell, degree, d)
            if not inside[0]:
                continue
            sets = np.sort(corners[:, np.array(reference.entities(self.cell, d))], axis=2)
            unique, number = np.unique(sets.reshape(-1, sets.shape[2]), axis=0, return_inverse=True)
            result[:, [i for (i,) in inside]] = at + number.reshape(sets.shape[:2])
            at += len(unique)
        places = np.zeros((at, 3))
        values = reference.lagrange(self.cell, self.degree).tabulate(
            0, reference.lattice(self.cell, degree)
        )[0, ..., 0]
        places[result] = np.einsum("pn,mnx->mpx", values, self.points[self.cells])
        return result, places

    # --- overridden by meshes of DOLFINx --------------------------------------------------------
    def space(self, degree: int) -> Any:
        """The DOLFINx space of a displacement of this degree; collective.

        Raises:
            InputError: a mesh that was not made by ``fem_clearance.dolfinx.mesh``.
        """
        raise InputError(f"{self.source} is not a DOLFINx mesh: {_DOOR}.")

    def nodal(self, f: Any, who: str, points: Any = None) -> tuple[Any, np.ndarray]:
        """Element of a DOLFINx Function on a cell, and its values at the cells' nodes or at
        ``points`` of the reference cell, (cells, nodes or points, components); collective.

        Raises:
            InputError: a mesh that DOLFINx does not share; a Function of another mesh or space.
        """
        raise InputError(f"{who} is a Function, but {self.source} is not a DOLFINx mesh: {_DOOR}.")

    # --- facets ---------------------------------------------------------------------------------
    def facet_set(self, name: str, who: str) -> np.ndarray:
        """A named set of facets.

        Raises:
            InputError: no such set; the message lists those there are.
        """
        known = sorted(self.facets)
        if name not in known:
            raise InputError(
                f"{who}: the mesh has no facets marked {checks.shown(name)}"
                f"{checks.suggestion(name, known)}; its facet sets are: "
                f"{checks.some(known) or 'none'}."
            )
        return self.facets[name]

    def _corners(self) -> np.ndarray:
        """Corners of all facets of all cells, sorted, (m facets of a cell, corners)."""
        sets = self.cells[:, reference.facet_nodes(self.cell, 1)]  # corners come first
        return np.sort(sets.reshape(-1, sets.shape[2]), axis=1)

    def boundary(self) -> np.ndarray:
        """All facets on the surface, (k, 2)."""
        _, first, times = np.unique(self._corners(), axis=0, return_index=True, return_counts=True)
        return self._numbered(np.sort(first[times == 1]))

    def _numbered(self, rows: np.ndarray) -> np.ndarray:
        count = len(reference.facet_nodes(self.cell, 1))
        return np.stack([rows // count, rows % count], axis=1)

    def find_facets(self, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Facets on the surface that have the given corners, (k, 2), and which of the given are
        none."""
        outer = self.boundary()
        count = len(reference.facet_nodes(self.cell, 1))
        have = self._corners()[outer[:, 0] * count + outer[:, 1]]
        both = np.concatenate([have, np.sort(corners, axis=1)])
        _, number = np.unique(both, axis=0, return_inverse=True)
        place = np.full(number.max(initial=0) + 1, -1)
        place[number[: len(have)]] = np.arange(len(have))
        at = place[number[len(have) :]]
        return outer[at[at >= 0]], at < 0

    def surface(self) -> np.ndarray:
        """Facets on the surface of this rank's own cells, (k, 2)."""
        return self.boundary()

    def marked(self, **where) -> Mesh:
        """The mesh with further facet sets, each given by a function of the facets' centres.
        Collective if the mesh is distributed.

        Example:
            >>> mesh.marked(top=lambda x: x[:, 1] > 0.0099)

        Args:
            where: name -> function of an array (k, 3) in m that returns k answers.

        Raises:
            InputError: a function selects none of the facets.
        """
        outer = self.surface()
        nodes = reference.nodes_of_facets(self.cell, 1, self.cells, outer)
        centers = self.points[nodes].mean(axis=1)
        sets = {name: outer[np.asarray(f(centers), bool)] for name, f in where.items()}
        return self._with_facets(sets)

    def _with_facets(self, sets: dict[str, np.ndarray]) -> Mesh:
        """The mesh with further facet sets, whose facets are given as by ``surface``."""
        return replace(self, facets=self.facets | sets)

    # --- changes --------------------------------------------------------------------------------
    def moved(self, by=(0, 0, 0), rotation=None, scale: float = 1.0) -> Mesh:
        """The mesh scaled, then turned about the origin, then moved.

        Args:
            by: m, (3,).
            rotation: 3 x 3 matrix.
            scale: 1e-3 for a mesh made in mm.

        Raises:
            InputError: a rotation of another shape, a scale that is not positive, no vector.
        """
        turn = np.eye(3) if rotation is None else checks.array(rotation)
        if turn.shape != (3, 3):
            raise InputError(f"rotation must be a 3x3 matrix, got {checks.shown(rotation)}.")
        points = checks.positive("scale", scale) * self.points @ turn.T + checks.vector("by", by)
        return replace(self, points=points)

    def parts(self) -> np.ndarray:
        """Number of the connected part each cell belongs to."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        m, n = len(self.cells), len(self.points)
        rows = np.repeat(np.arange(m), self.cells.shape[1])
        touch = coo_matrix((np.ones(rows.size), (rows, m + self.cells.ravel())), (m + n, m + n))
        return connected_components(touch, directed=False)[1][:m]
