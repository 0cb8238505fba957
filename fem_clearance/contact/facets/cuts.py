"""Facets of one solid cut where facets of another begin and end (mortar segments).

Both facets of a pair are projected onto the middle plane of the first (in the plane: onto its
chord). Where they overlap, quadrature points carry the numbers of the shape functions of both. The
overlaps of a facet with all others cover it once, and on each of them the shape functions of both
are smooth: a uniform pressure is transmitted exactly, whatever the meshes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import basix
import numpy as np

from ...meshes import cells as reference

#: corners of a facet in turn
ROUND = {"interval": (0, 1), "triangle": (0, 1, 2), "quadrilateral": (0, 1, 3, 2)}
#: facets further apart than this times the sum of their sizes are not cut
FAR = 2.0
#: deepest penetration of facets that face each other, by the smaller of their sizes: what is
#: deeper lies on the far side of a thin body
DEEPEST = 0.5
#: Newton iterations for places on curved facets, and their last step, in reference coordinates
ITERATIONS, SETTLED = 12, 1e-14
#: cosine of the angle between facets that face each other, at most
FACING = -0.1


def shapes(cell: str, degree: int, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shape functions at points (..., dimension) of a reference facet, (..., nodes), and their
    derivatives, (..., nodes, dimension)."""
    dimension = points.shape[-1]
    values = reference.lagrange(cell, degree).tabulate(1, points.reshape(-1, dimension))[..., 0]
    N, D = values[0], np.moveaxis(values[1:], 0, -1)
    rows, nodes = points.shape[:-1], N.shape[-1]
    return N.reshape(*rows, nodes), D.reshape(*rows, nodes, dimension)


def extents(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Middles of facets with these nodes (facets, nodes, 3), m, (facets, 3), and their largest
    distances from these, m, (facets,)."""
    middles = nodes.mean(axis=1)
    return middles, np.linalg.norm(nodes - middles[:, None], axis=2).max(axis=1)


@dataclass(frozen=True)
class Cutting:
    """How the facets of two solids are cut.

    Args:
        cell, degree: of the facets that are integrated over.
        other, other_degree: of the facets of the other solid.
        resolution: quadrature degree on each piece.
    """

    cell: str = "interval"
    degree: int = 2
    other: str = "interval"
    other_degree: int = 2
    resolution: int = 8

    @property
    def dimension(self) -> int:
        """Of the bodies: 2 or 3."""
        return reference.dimension(self.cell) + 1

    @cached_property
    def nodes(self) -> tuple[int, int]:
        """Of a facet of either side."""
        return (
            len(reference.lattice(self.cell, self.degree)),
            len(reference.lattice(self.other, self.other_degree)),
        )

    @property
    def pieces(self) -> int:
        """Triangles that an overlap of two facets can have; 1 in the plane."""
        if self.dimension == 2:
            return 1
        return len(ROUND[self.cell]) + len(ROUND[self.other])

    @cached_property
    def rule(self) -> tuple[np.ndarray, np.ndarray]:
        """Points and weights on a piece."""
        piece = "interval" if self.dimension == 2 else "triangle"
        points, weights = basix.make_quadrature(basix.CellType[piece], self.resolution)
        return points, weights

    @cached_property
    def points(self) -> int:
        """Quadrature points of a pair of facets."""
        return self.pieces * len(self.rule[1])

    def sizes(self) -> dict[str, int]:
        """How many numbers a pair has of each sort."""
        own, other = self.nodes
        k = self.points
        return {"N": k * own, "M": k * other, "D": k * other * (self.dimension - 1), "weight": k}

    # --- the cut --------------------------------------------------------------------------------
    def cut(self, x, y, X, sides) -> dict[str, np.ndarray]:
        """Pair the facets as they lie.

        Args:
            x, y: nodes of the facets of either side now, m, (pairs, nodes, 3).
            X: nodes of the first undeformed.
            sides: 1 or -1 where the facets' own normals point out of their bodies or into them, of
                either side, (pairs, 2).

        Returns:
            Of the points of each pair: ``weight``, the undeformed area they stand for (of plane
            bodies the length), m^2, (pairs, points), zero beyond the overlap; ``N`` and ``M``,
            shape functions of the first and of the other, (pairs, points, nodes); ``D``, by which
            nodes of the other make tangents whose cross product (of plane bodies with e_z) points
            out of it, (pairs, points, nodes, dimension - 1).
        """
        own, other = self.nodes
        count, d = len(x), self.dimension - 1
        result = {
            "weight": np.zeros((count, self.points)),
            "N": np.zeros((count, self.points, own)),
            "M": np.zeros((count, self.points, other)),
            "D": np.zeros((count, self.points, other, d)),
        }
        middle = np.full((1, d), 1 / 3 if self.other == "triangle" else 0.5)
        result["M"][:], result["D"][:] = shapes(self.other, self.other_degree, middle)
        chosen = np.flatnonzero(self._face(x, y, sides))
        if len(chosen):
            found, cover = self._overlap(x[chosen], y[chosen], X[chosen], sides[chosen])
            for name, value in found.items():
                result[name][chosen[cover]] = value[cover]
        result["D"][..., 0] *= sides[:, 1, None, None]
        return result

    def _normals(self, x, cell: str, side) -> np.ndarray:
        """Outward normals of facets between their corners, their size that of the facet."""
        if cell == "interval":
            t = x[:, 1] - x[:, 0]
            return side[:, None] * np.cross(t, [0.0, 0.0, 1.0])
        a, b = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]
        if cell == "quadrilateral":
            a, b = (a + x[:, 3] - x[:, 2]) / 2, (b + x[:, 3] - x[:, 1]) / 2
        return side[:, None] * np.cross(a, b)

    def _face(self, x, y, sides) -> np.ndarray:
        """Which pairs are near and face each other."""
        (first, reach), (second, other_reach) = extents(x), extents(y)
        apart = np.linalg.norm(first - second, axis=1)
        n, m = self._normals(x, self.cell, sides[:, 0]), self._normals(y, self.other, sides[:, 1])
        size = np.linalg.norm(n, axis=1) * np.linalg.norm(m, axis=1)
        facing = np.einsum("cx,cx->c", n, m) < FACING * size
        return (apart < FAR * (reach + other_reach)) & facing

    def _overlap(self, x, y, X, sides):
        """Points and numbers of pairs that may overlap, and which of them do."""
        d = self.dimension - 1
        n = self._normals(x, self.cell, sides[:, 0])
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        first = x[:, 1] - x[:, 0]
        first -= np.einsum("cx,cx->c", first, n)[:, None] * n
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        axes = np.stack([first, np.cross(n, first)][:d], axis=2)  # (pairs, 3, d)
        origin = x.mean(axis=1, keepdims=True)
        p, q = ((z - origin) @ axes for z in (x, y))  # (pairs, nodes, d)
        if d == 1:
            places, measure = self._interval(p[:, :2, 0], q[:, :2, 0])
        else:
            corners = p[:, ROUND[self.cell]], q[:, ROUND[self.other]]
            places, measure = self._polygon(*corners)
        whole = measure.sum(axis=1)
        xi, N, slope = self._inverse(self.cell, self.degree, p, places)
        _, M, D = self._inverse(self.other, self.other_degree, q, places, shapes_wanted=True)
        tangents = np.einsum("ckna,cnx->ckax", shapes(self.cell, self.degree, xi)[1], X)
        stretch = tangents[:, :, 0] if d == 1 else np.cross(tangents[:, :, 0], tangents[:, :, 1])
        area = np.linalg.norm(stretch, axis=2) / np.abs(np.linalg.det(slope))
        gap = np.einsum("ckn,cnx->ckx", N, x) - np.einsum("ckn,cnx->ckx", M, y)
        depth = np.where(measure > 0, np.einsum("ckx,cx->ck", gap, n), -np.inf)
        size = [np.linalg.norm(z[:, 1] - z[:, 0], axis=1) for z in (x, y)]
        cover = whole > 1e-12 * size[0] ** d
        cover &= depth.max(axis=1) < DEEPEST * np.minimum(*size)
        return {"weight": measure * area, "N": N, "M": M, "D": D}, cover

    def _interval(self, p, q):
        """Points of the overlaps of intervals, (pairs, points, 1), and lengths, (pairs,
        points)."""
        points, weights = self.rule
        low = np.maximum(p.min(axis=1), q.min(axis=1))[:, None]
        length = np.maximum(np.minimum(p.max(axis=1), q.max(axis=1))[:, None] - low, 0.0)
        return (low + length * points[:, 0])[..., None], length * weights

    def _polygon(self, p, q):
        """The same of polygons, cut into triangles round their middles."""
        points, weights = self.rule
        corners = clipped(p, q, self.pieces)
        middle = corners.mean(axis=1, keepdims=True)
        a, b = corners - middle, np.roll(corners, -1, axis=1) - middle
        double = np.abs(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
        places = middle[:, :, None] + np.einsum("cta,k->ctka", a, points[:, 0])
        places = places + np.einsum("cta,k->ctka", b, points[:, 1])
        measure = double[..., None] * weights
        return places.reshape(len(p), -1, 2), measure.reshape(len(p), -1)

    @staticmethod
    def _inverse(cell: str, degree: int, nodes, places, shapes_wanted: bool = False):
        """Reference coordinates of places (pairs, points, d) of facets with these nodes, shape
        functions there and slopes dplace/dxi, or derivatives of the shapes."""
        xi = np.full(places.shape, 1 / 3 if cell == "triangle" else 0.5)
        straight = degree == 1 and cell != "quadrilateral"
        for _ in range(1 if straight else ITERATIONS):
            N, D = shapes(cell, degree, xi)
            slope = np.einsum("ckna,cnb->ckba", D, nodes)
            wrong = np.einsum("ckn,cnb->ckb", N, nodes) - places
            step = np.linalg.solve(slope + 1e-300, wrong[..., None])[..., 0]
            before, xi = xi, np.clip(xi - step, -1.0, 2.0)
            if np.abs(xi - before).max(initial=0.0) < SETTLED:
                break
        N, D = shapes(cell, degree, xi)
        if shapes_wanted:
            return xi, N, D
        return xi, N, np.einsum("ckna,cnb->ckba", D, nodes)


def clipped(p: np.ndarray, q: np.ndarray, most: int) -> np.ndarray:
    """Corners of the intersections of convex polygons (Sutherland and Hodgman 1974), (pairs, most,
    2); those that have fewer repeat one."""
    turned = np.roll(q, -1, axis=1)
    area = (q[..., 0] * turned[..., 1] - q[..., 1] * turned[..., 0]).sum(axis=1)
    q = np.where(area[:, None, None] < 0, q[:, ::-1], q)
    inside = p
    for k in range(q.shape[1]):
        a, edge = q[:, k], q[:, (k + 1) % q.shape[1]] - q[:, k]
        normal = np.stack([-edge[:, 1], edge[:, 0]], axis=1)
        inside = _half(inside, np.einsum("cka,ca->ck", inside - a[:, None], normal))
    repeat = np.minimum(np.arange(most), inside.shape[1] - 1)
    return inside[:, repeat]


def _half(p: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Corners of polygons where s >= 0, at most one more than before; of those that vanish one
    point."""
    after, s_after = np.roll(p, -1, axis=1), np.roll(s, -1, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.where(s != s_after, s / (s - s_after), 0.0)
    crosses = (s >= 0) != (s_after >= 0)
    middle = p + np.clip(crossing, 0, 1)[..., None] * (after - p)
    both = np.stack([p, middle], axis=2).reshape(len(p), -1, 2)  # a corner, then what is cut
    valid = np.stack([s >= 0, crosses], axis=2).reshape(len(p), -1)
    order = np.argsort(~valid, axis=1, kind="stable")[:, : p.shape[1] + 1]
    count = valid.sum(axis=1)
    last = np.minimum(np.arange(p.shape[1] + 1), np.maximum(count - 1, 0)[:, None])
    order = np.take_along_axis(order, last, axis=1)
    return np.take_along_axis(both, order[..., None], axis=1)
