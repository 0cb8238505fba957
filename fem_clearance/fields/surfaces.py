"""Surfaces of the bodies for pictures: faces, and their corners as functions of the coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..bodies.polyhedra import tube
from ..bodies.rigid import brick
from ..bodies.shapes import Box
from ..bodies.solids.solid import Solid
from ..bodies.solids.whole import WholeSolid
from ..meshes import cells as reference
from ..meshes.mesh import Mesh


class Surface(NamedTuple):
    """The surface of one body.

    Attributes:
        name: of the body.
        faces: corners of each face.
        points: corners in space, m, (n, 3), by the coordinates (all, by global number).
        von_mises: von Mises stress at the corners, Pa, (n,), likewise; of beams only.
    """

    name: str
    faces: list[list[int]]
    points: Callable[[np.ndarray], np.ndarray]
    von_mises: Callable[[np.ndarray], np.ndarray] | None = None


def surfaces(system) -> list[Surface]:
    """Surfaces of the bodies in the order they were added, and last of the ground, if it has a
    shape."""
    result = []
    for item in system.items:
        if callable(getattr(item, "shape", None)):
            result.append(_beam(item))
        elif hasattr(item, "inertia") and hasattr(item, "refs"):
            result.append(_rigid(item))
        elif isinstance(item, Solid):
            result.append(_elastic(item))
    shape = system.ground.shape
    if shape is not None and shape.complete:
        points, faces = shape.surface()
        result.append(Surface(system.ground.name, faces, lambda values: points))
    return result


def joined(bodies: list[Surface], points: list[np.ndarray]) -> tuple[list[list[int]], np.ndarray]:
    """Faces of all bodies, numbered in the concatenated ``points``, and the body of each face."""
    starts = np.cumsum([0, *map(len, points)]).tolist()
    faces = [[at + k for k in f] for at, s in zip(starts, bodies, strict=False) for f in s.faces]
    return faces, np.array([k for k, s in enumerate(bodies) for _ in s.faces], np.int32)


def _elastic(body: Solid) -> Surface:
    """Facets on the surface, or all cells of a plane solid, as polygons through their nodes."""
    solid = WholeSolid(body)
    if not solid.here:  # rank 0 draws
        return Surface(body.name or "", [], lambda values: np.zeros((0, 3)))
    cell, rows = skin(solid.mesh, solid.cells, solid.degree)
    used, faces = np.unique(rows[:, _outline(cell, solid.degree)], return_inverse=True)

    def points(values):
        return (solid.nodes + solid.at_nodes(values))[used]

    return Surface(solid.name or "", faces.reshape(len(rows), -1).tolist(), points)


def skin(mesh: Mesh, cells: np.ndarray, degree: int) -> tuple[str, np.ndarray]:
    """The visible part of a mesh: shape and nodes of the facets on its surface, or of all cells of
    a plane mesh.

    Args:
        mesh: undeformed.
        cells: nodes of each cell of a field of ``degree``.
    """
    if mesh.dimension == 2:
        return mesh.cell, cells
    outer = mesh.boundary()
    table = reference.facet_nodes(mesh.cell, degree)
    return reference.FACET[mesh.cell], cells[outer[:, :1], table[outer[:, 1]]]


def _outline(cell: str, degree: int) -> list[int]:
    """Nodes on the edges of a triangle or quadrilateral, in order around it."""
    places = reference.lattice(cell, degree)[:, :2]
    middle = places.mean(axis=0)
    edge = [k for d in (0, 1) for e in reference.inner_nodes(cell, degree, d) for k in e]
    return sorted(edge, key=lambda k: np.arctan2(*(places[k] - middle)[::-1]))


def _beam(beam) -> Surface:
    stations = len(beam.nodes) * (2 if beam.kind.spans == 1 else 1) - (beam.kind.spans == 1)
    m = len(beam.section.outline)

    def points(values):
        s = beam.shape(values)
        y, z = np.moveaxis(s.outline, -1, 0)[..., None]
        corners = s.points[:, None] + y * s.d2[:, None] + z * s.d3[:, None]
        return corners.reshape(-1, 3)

    def von_mises(values):
        return beam.surface_stress(values)["von_mises"].ravel()

    known = getattr(beam.section, "recovery", True) is not None  # sections by matrices may lack it
    return Surface(beam.name, tube(stations, m), points, von_mises if known else None)


def _rigid(body) -> Surface:
    corners, faces = _solid(body)
    r, d = body.refs[:2]

    def points(values):
        return r.present(values) + corners @ d.present(values).reshape(3, 3)

    return Surface(body.name, faces, points)


def _solid(body) -> tuple[np.ndarray, list[list[int]]]:
    """Corners in the body's axes and faces: of its shape, if the sizes of that are known, else of
    the box with the same inertia."""
    if body.shape is not None and body.shape.complete:
        return body.shape.surface()
    edges, axes = brick(body)
    return Box(*edges, orientation=axes).surface()
