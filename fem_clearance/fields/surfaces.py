"""Surfaces of the bodies for pictures: corners that move with the coordinates, and faces."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..bodies.shapes import Box, Cylinder, Sphere
from ..bodies.solids.solid import Solid
from ..meshes import cells as reference
from ..meshes.mesh import Mesh

#: corners round a circle
ROUND = 24


class Surface(NamedTuple):
    """The surface of one body.

    Attributes:
        name: the body's.
        faces: corners of each face.
        points: corners in space, m, (n, 3), from all coordinates by global number.
        von_mises: von Mises stress there, Pa, (n,), of beams.
    """

    name: str
    faces: list[list[int]]
    points: Callable[[np.ndarray], np.ndarray]
    von_mises: Callable[[np.ndarray], np.ndarray] | None = None


def surfaces(system) -> list[Surface]:
    """One surface a body, in the order they were added."""
    result = []
    for item in system.items:
        if callable(getattr(item, "shape", None)):
            result.append(_beam(item))
        elif hasattr(item, "inertia") and hasattr(item, "refs"):
            result.append(_rigid(item))
        elif isinstance(item, Solid):
            result.append(_elastic(item))
    return result


def joined(bodies: list[Surface], points: list[np.ndarray]) -> tuple[list[list[int]], np.ndarray]:
    """Faces of all bodies by the numbers of their ``points`` put together, and whose each is."""
    starts = np.cumsum([0, *map(len, points)]).tolist()
    faces = [[at + k for k in f] for at, s in zip(starts, bodies, strict=False) for f in s.faces]
    return faces, np.array([k for k, s in enumerate(bodies) for _ in s.faces], np.int32)


def _elastic(solid: Solid) -> Surface:
    """Facets on the surface, or all cells of a plane solid, as polygons through their nodes."""
    cell, rows = skin(solid.mesh, solid.cells, solid.degree)
    used, faces = np.unique(rows[:, _outline(cell, solid.degree)], return_inverse=True)

    def points(values):
        return (solid.nodes + solid.at_nodes(values))[used]

    return Surface(solid.name or "", faces.reshape(len(rows), -1).tolist(), points)


def skin(mesh: Mesh, cells: np.ndarray, degree: int) -> tuple[str, np.ndarray]:
    """What one sees of a mesh: kind of the facets on its surface, or of all cells of a plane one,
    and their nodes.

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
    """Nodes on the edges of a triangle or quadrilateral, one after the other round it."""
    places = reference.lattice(cell, degree)[:, :2]
    middle = places.mean(axis=0)
    edge = [k for d in (0, 1) for e in reference.inner_nodes(cell, degree, d) for k in e]
    return sorted(edge, key=lambda k: np.arctan2(*(places[k] - middle)[::-1]))


def _beam(beam) -> Surface:
    stations = len(beam.nodes) * (2 if beam.kind.spans == 1 else 1) - (beam.kind.spans == 1)
    m = len(beam.section.outline)

    def points(values):
        s = beam.shape(values)
        y, z = s.outline.T
        corners = s.points[:, None] + y[:, None] * s.d2[:, None] + z[:, None] * s.d3[:, None]
        return corners.reshape(-1, 3)

    def von_mises(values):
        return beam.surface_stress(values)["von_mises"].ravel()

    return Surface(beam.name, _tube(stations, m), points, von_mises)


def _tube(stations: int, m: int) -> list[list[int]]:
    """Faces of a prism with ``m`` corners at each station, ends closed."""
    sides = [
        [k * m + i, k * m + (i + 1) % m, (k + 1) * m + (i + 1) % m, (k + 1) * m + i]
        for k in range(stations - 1)
        for i in range(m)
    ]
    return [list(range(m))[::-1], *sides, list(range((stations - 1) * m, stations * m))]


def _rigid(body) -> Surface:
    corners, faces = _solid(body)
    r, d = body.refs[:2]

    def points(values):
        return values[r.numbers] + corners @ values[d.numbers].reshape(3, 3)

    return Surface(body.name, faces, points)


def _solid(body) -> tuple[np.ndarray, list[list[int]]]:
    """Corners in the body's axes and faces; without a shape, the box of the same inertia."""
    shape = body.shape
    if isinstance(shape, Sphere):
        turns = np.linspace(0.02, np.pi - 0.02, ROUND // 2)
        rings = [(shape.radius * -np.cos(a), shape.radius * np.sin(a)) for a in turns]
        return _rings(rings), _tube(len(rings), ROUND)
    if isinstance(shape, Cylinder):
        x = shape.length / 2
        return _rings([(-x, shape.radius), (x, shape.radius)]), _tube(2, ROUND)
    if shape is None:
        moments, axes = np.linalg.eigh(body.inertia)
        squares = 6 * (moments.sum() - 2 * moments) / body.mass
        half = np.sqrt(np.maximum(squares, 1e-4 * squares.max())) / 2
    else:
        half, axes = (shape if isinstance(shape, Box) else body.shape).half_size, np.eye(3)
    y, z = half[1], half[2]
    ends = [[x, a, b] for x in (-half[0], half[0]) for a, b in ((-y, -z), (y, -z), (y, z), (-y, z))]
    return np.array(ends) @ axes.T, _tube(2, 4)


def _rings(rings) -> np.ndarray:
    """Circles about the first axis, given by place along it and radius."""
    angles = 2 * np.pi * np.arange(ROUND) / ROUND
    return np.array([[x, r * np.cos(a), r * np.sin(a)] for x, r in rings for a in angles])
