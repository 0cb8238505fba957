"""Facet sets of solids, on which loads, attachments and films act."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...meshes import cells as reference
from ...meshes.mesh import Mesh
from ..materials import Material
from .elements import FacetKind


class FacetOwner(Protocol):
    """The solid that facets bound, as far as they use it; ``Solid`` is one.

    Attributes:
        name: for messages and channels.
        mesh, material, degree: of its elements.
        thickness: of a plane solid, m, else 1.
        nodes: places of the nodes at the start, m, (n, 3).
        cells: nodes of each cell, (m, nodes of a cell).
        velocity: initial, of the body, (3,), or of each node, (n, 3), m/s.
        angular_velocity: initial, rad/s.
        block: its displacements; ``None`` before it is added to a system.
        free: whether it needs no connection.
    """

    name: str | None
    mesh: Mesh
    material: Material
    degree: int
    thickness: float
    nodes: np.ndarray
    cells: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray
    block: Block | None
    free: bool

    @property
    def dimension(self) -> int:
        """2 for plane solids, 3 in space."""

    @property
    def held(self) -> np.ndarray:
        """Nodes that are clamped, along one axis at least."""

    @property
    def position(self) -> np.ndarray:
        """Initial centre of mass, m."""

    def displacement(self, nodes: np.ndarray) -> Ref:
        """Unknowns of nodes, one row of (x, y(, z)) after (x, y(, z)) for each row of nodes."""

    def at_nodes(self, values: np.ndarray) -> np.ndarray:
        """Displacements of the nodes, m, (n, 3), from coordinates by global number."""


class FacetSet:
    """Facets of a solid.

    Attributes:
        solid, name: the solid, and their name in the mesh.
        facets: cell and number in the cell of each, (k, 2).
        cells: nodes of the solid in the order of the facet's own cell, (k, nodes of a facet).
    """

    def __init__(self, solid: FacetOwner, name: str, facets: np.ndarray):
        self.solid, self.name, self.facets = solid, name, facets
        mesh, nodes = solid.mesh, reference.nodes_of_facets
        self.cells = nodes(mesh.cell, solid.degree, solid.cells, facets)
        #: coordinates of the facets' geometry, m, (k, nodes, 3)
        self.geometry = mesh.points[nodes(mesh.cell, mesh.degree, mesh.cells, facets)]

    def __repr__(self) -> str:
        return f"facets {self.name!r} of {self.solid.name or 'a solid'}"

    @property
    def body(self) -> FacetOwner:
        """The solid, as of a frame."""
        return self.solid

    @property
    def nodes(self) -> np.ndarray:
        """Nodes of the solid on the facets."""
        return np.unique(self.cells)

    def _tangents(self, points):
        cell = reference.FACET[self.solid.mesh.cell]
        values = reference.shape_functions(cell, self.solid.mesh.degree, points)
        x = np.einsum("pn,knx->kpx", values[0], self.geometry)
        return x, np.einsum("dpn,knx->dkpx", values[1:], self.geometry)

    def normals(self, points):
        """Places, m, and normals at points of the reference facet, each (k, p, 3); a normal's size
        is the undeformed area by that on the reference facet."""
        x, t = self._tangents(points)
        if self.solid.dimension == 3:
            return x, np.cross(t[0], t[1])
        return x, np.cross(t[0], [0.0, 0.0, 1.0])

    @property
    def outward(self) -> np.ndarray:
        """1 where the facet's own normal points out of the solid, else -1, (k,)."""
        x, normal = self.normals(((1 / 3,) * (self.solid.dimension - 1),))
        inside = self.solid.mesh.centers[self.facets[:, 0]]
        return np.sign(np.einsum("kx,kx->k", x[:, 0] - inside, normal[:, 0]))

    def quadrature(self, degree: int = 4) -> tuple[np.ndarray, np.ndarray]:
        """Points of a rule on each facet, undeformed: area they stand for, m^2, (k, p), and places,
        m, (k, p, 3)."""
        points, weights = reference.quadrature(reference.FACET[self.solid.mesh.cell], degree)
        x, normal = self.normals(points)
        return self.solid.thickness * (np.linalg.norm(normal, axis=2) * weights), x

    @property
    def area(self) -> float:
        """Undeformed area, m^2."""
        return float(self.quadrature()[0].sum())

    @property
    def center(self) -> np.ndarray:
        """Centre of the undeformed area, m."""
        area, x = self.quadrature()
        return np.einsum("kp,kpx->x", area, x) / area.sum()

    @property
    def weights(self) -> np.ndarray:
        """Weights of the nodes' values in the mean over the undeformed area, (nodes of the
        solid,)."""
        cell = reference.FACET[self.solid.mesh.cell]
        points, _ = reference.quadrature(cell, 4)
        shapes = reference.shape_functions(cell, self.solid.degree, points)[0]
        area, _ = self.quadrature(4)
        result = np.zeros(len(self.solid.nodes))
        np.add.at(result, self.cells, area @ shapes)
        return result / area.sum()

    @property
    def inertia(self) -> np.ndarray:
        """Mean of |a|^2 I - a a^T over the undeformed area, a the arm from its centre, m^2."""
        area, x = self.quadrature()
        arm = x - self.center
        second = np.einsum("kp,kpx,kpy->xy", area, arm, arm) / area.sum()
        return np.trace(second) * np.eye(3) - second

    def spots(self, most: int = 24) -> dict[str, Any]:
        """Centres of some facets, far from each other, m, and outward unit normals there; the
        integral of the outward normal, m^2, and the area; all of the undeformed facets."""
        cell = reference.FACET[self.solid.mesh.cell]
        middle = (1 / 3, 1 / 3) if cell == "triangle" else (0.5,) * (self.solid.dimension - 1)
        x, normal = self.normals((middle,))
        x, normal = x[:, 0], self.outward[:, None] * normal[:, 0]
        size = np.linalg.norm(normal, axis=1)
        chosen, apart = [0], np.linalg.norm(x - x[0], axis=1)
        while len(chosen) < min(most, len(x)):
            chosen.append(int(apart.argmax()))
            apart = np.minimum(apart, np.linalg.norm(x - x[chosen[-1]], axis=1))
        whole = self.area / size.sum() * normal.sum(axis=0)
        return {
            "points": x[chosen].tolist(), "normals": (normal / size[:, None])[chosen].tolist(),
            "area": self.area, "normal_area": whole.tolist(),
        }  # fmt: skip

    def portrait(self) -> dict[str, Any]:
        """The solid, and the centre of the facets at the start, as in ``scene.json``."""
        about = {"solid": self.solid.name, "facets": self.name}
        return {**about, "center": self.center.tolist()}

    def judge_by_places(self) -> None:
        """Note that forms compare places of the solid with others: these, not distances of
        neighbouring nodes, set the round-off of its displacements."""
        assert self.solid.block is not None
        self.solid.block.offset_by(float(np.abs(self.solid.mesh.box).max()))

    @property
    def refs(self) -> list[Ref]:
        """Displacements of the facets' nodes, as of a frame."""
        return [self.solid.displacement(self.nodes[:, None])]

    def add_to(
        self, builder, owner: str, kind: FacetKind, refs=(), each=None,
        chosen: np.ndarray | None = None, **parameters,
    ) -> None:  # fmt: skip
        """Register cells of a kind on these facets.

        Args:
            owner: prefix of the channels.
            kind: what they are; see ``kind_arguments``.
            refs: unknowns of the kind's own fields, the same for all facets or one row each.
            each: numbers of the kind's parameters and memory, one row a facet.
            chosen: facets, as places in ``cells``, which then have the rows of ``refs`` and
                ``each``; default: all.
            parameters: those that are the same for all.
        """
        mine = np.arange(len(self.cells)) if chosen is None else chosen
        rows = {"outward": self.outward[mine, None], **(each or {})}
        own = kind.pack(**dict.fromkeys(rows, 0.0), thickness=self.solid.thickness, **parameters)
        numbers = np.tile(own, (len(mine), 1))
        for name, row in rows.items():
            numbers[:, kind.columns(name)] = row
        refs = [self.solid.displacement(self.cells[mine]), *refs]
        cell = Cell(owner, refs, numbers, geometry=self.geometry[mine], count=len(mine))
        builder.add_cell(kind, cell)

    @property
    def kind_arguments(self) -> dict:
        """Fields of a ``FacetKind`` for these facets."""
        mesh = self.solid.mesh
        return {
            "cell": reference.FACET[mesh.cell], "degree": self.solid.degree,
            "geometry_degree": mesh.degree, "plane": self.solid.dimension == 2,
        }  # fmt: skip
