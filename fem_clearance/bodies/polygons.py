"""Polygons: simple or not, cut into triangles, integrated."""

from __future__ import annotations

import basix
import numpy as np


def _cross(a, b) -> float:
    return a[0] * b[1] - a[1] * b[0]


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
    sides = [_cross(b - a, c - a), _cross(b - a, d - a), _cross(d - c, a - c), _cross(d - c, b - c)]
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


def triangles(corners: np.ndarray) -> np.ndarray:
    """Triangles (n, 3, 2) of a simple polygon given anticlockwise, by cutting ears."""
    left, result = [*corners], []
    while len(left) > 2:
        best = None
        for k in range(len(left)):
            a, b, c = (left[m % len(left)] for m in (k - 1, k, k + 1))
            double = _cross(b - a, c - a)
            others = [p for p in left if not any(p is q for q in (a, b, c))]
            if double < 0 or any(_inside(p, a, b, c) for p in others):
                continue
            # the best shaped ear first
            shape = double / max(np.sum((p - q) ** 2) for p, q in ((a, b), (b, c), (c, a)))
            if best is None or shape > best[0]:
                best = shape, k, (a, b, c), double
        if best is None:
            break
        _, k, ear, double = best
        if double > 0:
            result.append(ear)
        left.pop(k % len(left))
    return np.array(result).reshape(-1, 3, 2)


def _inside(p, a, b, c) -> bool:
    """Whether a point lies in a triangle given anticlockwise, or on its border."""
    return min(_cross(b - a, p - a), _cross(c - b, p - b), _cross(a - c, p - c)) >= 0


def quadrature_of_triangles(corners: np.ndarray, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2) and weights (n,) over triangles (m, 3, 2)."""
    x, w = basix.make_quadrature(basix.CellType.triangle, degree)
    a, b, c = corners[:, :1], corners[:, 1:2], corners[:, 2:]
    points = a + x[:, :1] * (b - a) + x[:, 1:] * (c - a)
    doubles = (b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0]
    return points.reshape(-1, 2), (doubles * w).ravel()
