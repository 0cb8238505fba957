"""Conforming triangulations of the plane, refined where asked for by bisecting longest edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Triangulation(NamedTuple):
    """Corners (n, 2), and the three corners of each triangle (m, 3), anticlockwise, the longest
    edge from the first to the second."""

    points: np.ndarray
    cells: np.ndarray

    @property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends of each edge (e, 2), and each triangle's three edges (m, 3): opposite its third,
        first and second corner."""
        sides = self.cells[:, [[0, 1], [1, 2], [2, 0]]]
        ends, number = np.unique(np.sort(sides, axis=2).reshape(-1, 2), axis=0, return_inverse=True)
        return ends, number.reshape(-1, 3)


def from_triangles(corners: np.ndarray) -> Triangulation:
    """A triangulation of triangles (m, 3, 2) given anticlockwise, corners of equal place merged.

    Triangles that meet along a part of an edge are cut until they are conforming.
    """
    size = np.ptp(corners.reshape(-1, 2), axis=0).max()
    rounded = np.round(corners.reshape(-1, 2) / size, 10)
    _, first, number = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    points, cells = corners.reshape(-1, 2)[first], number.reshape(-1, 3)
    while True:
        hanging = _hanging(points, cells, 1e-9 * size)
        if hanging is None:
            return Triangulation(points, _longest_first(points, cells))
        k, edge, corner = hanging
        a, b, c = np.roll(cells[k], -edge)
        cells = np.vstack([np.delete(cells, k, axis=0), [[a, corner, c], [corner, b, c]]])


def _hanging(points, cells, near: float) -> tuple[int, int, int] | None:
    """A triangle, one of its edges (from that corner to the next), and a corner inside that
    edge."""
    for edge in range(3):
        a, b = points[cells[:, edge]], points[cells[:, (edge + 1) % 3]]
        along = b - a
        length = np.linalg.norm(along, axis=1)
        offset = points[None] - a[:, None]
        place = np.einsum("kpx,kx->kp", offset, along) / length[:, None] ** 2
        away = np.abs(offset[..., 0] * along[:, None, 1] - offset[..., 1] * along[:, None, 0])
        inside = (away < near * length[:, None]) & (place > 1e-9) & (place < 1 - 1e-9)
        if inside.any():
            k, corner = np.argwhere(inside)[0]
            return int(k), edge, int(corner)
    return None


def _longest_first(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    x = points[cells]
    lengths = np.linalg.norm(x - np.roll(x, -1, axis=1), axis=2)
    turn = (np.argmax(lengths, axis=1)[:, None] + np.arange(3)) % 3
    return np.take_along_axis(cells, turn, axis=1)


def refined(mesh: Triangulation, marked: np.ndarray) -> Triangulation:
    """The mesh with the ``marked`` triangles (m,) cut, and others as far as it stays conforming.

    A triangle is cut through the middle of its longest edge and, where others of its edges are to
    be halved, the halves through these (Rivara 1984): angles stay above half the smallest.
    """
    ends, sides = mesh.edges
    halved = np.zeros(len(ends), bool)
    halved[sides[marked, 0]] = True
    while True:  # a triangle that is cut at all is cut through its longest edge
        needed = halved[sides].any(axis=1) & ~halved[sides[:, 0]]
        if not needed.any():
            break
        halved[sides[needed, 0]] = True
    middle = np.full(len(ends), -1)
    middle[halved] = len(mesh.points) + np.arange(np.count_nonzero(halved))
    points = np.vstack([mesh.points, mesh.points[ends[halved]].mean(axis=1)])
    (a, b, c), (m, right, left) = mesh.cells.T, middle[sides].T
    cut, first, second = m >= 0, left >= 0, right >= 0
    parts = [
        mesh.cells[~cut],
        _stack(cut & ~first, c, a, m), _stack(cut & first, left, a, m),
        _stack(cut & first, c, left, m), _stack(cut & ~second, b, c, m),
        _stack(cut & second, right, c, m), _stack(cut & second, b, right, m),
    ]  # fmt: skip
    return Triangulation(points, _longest_first(points, np.vstack(parts)))


def _stack(which: np.ndarray, *corners: np.ndarray) -> np.ndarray:
    return np.column_stack(corners)[which]
