"""Polygons: simple or not, with holes or without, cut into triangles, integrated."""

from __future__ import annotations

import basix
import numpy as np


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Component out of the plane of the cross products of vectors (..., 2)."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def doubles(corners: np.ndarray) -> np.ndarray:
    """Twice the areas of triangles (m, 3, 2), positive if they are given anticlockwise, (m,)."""
    return _cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def crossing(corners: np.ndarray) -> bool:
    """Whether edges that are no neighbours meet, or corners coincide."""
    n = len(corners)
    ends = [(corners[k], corners[(k + 1) % n]) for k in range(n)]
    for i in range(n):
        if np.allclose(*ends[i], rtol=1e-12, atol=0):
            return True
        for j in range(i + 2, n):
            if (j + 1) % n != i and _meet(*ends[i], *ends[j]):
                return True
    return False


def _meet(a, b, c, d) -> bool:
    """Whether two edges, from a to b and from c to d, share a point."""
    apart = np.maximum(a, b) < np.minimum(c, d), np.maximum(c, d) < np.minimum(a, b)
    if np.any(apart):
        return False
    sides = [_cross(b - a, c - a), _cross(b - a, d - a), _cross(d - c, a - c), _cross(d - c, b - c)]
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


def triangles(corners: np.ndarray, holes=()) -> np.ndarray:
    """Triangles (n, 3, 2) of a simple polygon given anticlockwise, less ``holes`` given clockwise,
    by cutting ears."""
    left, result = _slit(corners, holes), []
    while len(left) > 2:
        before, after = np.roll(left, 1, axis=0), np.roll(left, -1, axis=0)
        areas = _cross(left - before, after - before)
        sides = [np.sum((p - q) ** 2, axis=1) for p, q in
                 ((before, left), (left, after), (after, before))]  # fmt: skip
        # the best shaped ear first
        for k in np.argsort(-areas / np.max(sides, axis=0), kind="stable"):
            ear = np.array([before[k], left[k], after[k]])
            if areas[k] >= 0 and not _any_inside(left, ear):
                break
        else:
            break
        if areas[k] > 0:
            result.append(ear)
        left = np.delete(left, k, axis=0)
    return np.array(result).reshape(-1, 3, 2)


def _slit(corners: np.ndarray, holes) -> np.ndarray:
    """One ring round a polygon with holes: to each hole and back along the shortest line that meets
    nothing."""
    ring = np.array(corners)
    rest = [np.array(hole) for hole in holes]
    while rest:
        edges = [(r[k - 1], r[k]) for r in (ring, *rest) for k in range(len(r))]
        best = None
        for n, hole in enumerate(rest):
            for i, j in np.ndindex(len(ring), len(hole)):
                away = np.sum((ring[i] - hole[j]) ** 2)
                if (best is None or away < best[0]) and _free(ring[i], hole[j], edges):
                    best = away, n, i, j
        assert best is not None  # some pair always sees each other
        _, n, i, j = best
        hole = np.roll(rest.pop(n), -j, axis=0)
        ring = np.vstack([ring[: i + 1], hole, hole[:1], ring[i:]])
    return ring


def _free(a, b, edges) -> bool:
    """Whether the line from a to b meets only edges that end where it does."""
    for c, d in edges:
        shared = any(np.array_equal(x, y) for x in (a, b) for y in (c, d))
        if not shared and _meet(a, b, c, d):
            return False
    return True


def holes_fit(corners: np.ndarray, holes) -> bool:
    """Whether holes lie inside a polygon and outside of each other, and edges do not meet."""
    rings = [corners, *holes]
    for n, first in enumerate(rings):
        for second in rings[n + 1 :]:
            for i, j in np.ndindex(len(first), len(second)):
                if _meet(first[i - 1], first[i], second[j - 1], second[j]):
                    return False
            if _winds(first, second[0]) != (n == 0) or (n and _winds(second, first[0])):
                return False
    return True


def _winds(ring: np.ndarray, point: np.ndarray) -> bool:
    """Whether a ring runs round a point."""
    (y, z), (v, w) = (ring - point).T, (np.roll(ring, -1, axis=0) - point).T
    return bool(abs(np.sum(np.arctan2(y * w - z * v, y * v + z * w))) > np.pi)


def _any_inside(points: np.ndarray, ear: np.ndarray) -> bool:
    """Whether any of some points lies in a triangle given anticlockwise or on its border, apart
    from its corners."""
    after = np.roll(ear, -1, axis=0)
    within = np.all(_cross(after - ear, points[:, None] - ear) >= 0, axis=1)
    corner = np.any(np.all(points[:, None] == ear, axis=2), axis=1)
    return bool(np.any(within & ~corner))


def quadrature_of_triangles(corners: np.ndarray, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2) and weights (n,) over triangles (m, 3, 2)."""
    x, w = basix.make_quadrature(basix.CellType.triangle, degree)
    a, b, c = corners[:, :1], corners[:, 1:2], corners[:, 2:]
    points = a + x[:, :1] * (b - a) + x[:, 1:] * (c - a)
    return points.reshape(-1, 2), np.outer(doubles(corners), w).ravel()
