"""Cross-sections of any shape: polygons, and points that carry an area each."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ...meshes.polygons import crossing, holes_fit, quadrature_of_triangles, triangles
from .sections import Section


class Polygon(Section):
    """Any polygon, with holes or without, moved so that its centroid is the origin.

    Args:
        corners: (n, 2), (y, z) of the corners in turn, m; either sense.
        holes: corners of each hole, likewise.

    Attributes:
        centroid: where the centroid lay in the given coordinates, m.

    Raises:
        InputError: fewer than three corners, edges that cross, no area, holes outside.

    Example::

        fc.Polygon([(0, 0), (0.06, 0), (0, 0.03)]).I_y  # 1.8e-7 m^4
    """

    def __init__(self, corners: ArrayLike, holes: Sequence[ArrayLike] = ()):
        if not isinstance(holes, Iterable):
            raise InputError(f"Polygon: holes must be a list of rings, got {checks.shown(holes)}.")
        outer, *inner = (
            _ring(f"Polygon: {name}", ring)
            for name, ring in (("corners", corners), *(("holes", hole) for hole in holes))
        )
        if not holes_fit(outer, inner):
            raise InputError(
                "Polygon: holes must lie inside the polygon and apart from it and each other."
            )
        self._triangles = triangles(outer, [hole[::-1] for hole in inner])
        points, weights = quadrature_of_triangles(self._triangles, 1)
        self.centroid = weights @ points / weights.sum()
        self._triangles = self._triangles - self.centroid
        self._outline = outer - self.centroid

    @property
    def triangulation(self):
        return self._triangles

    def quadrature(self, degree=4):
        return quadrature_of_triangles(self._triangles, degree)

    @property
    def outline(self):
        return self._outline

    @cached_property
    def _moments(self) -> dict:
        return {}

    def moment(self, p, q):
        if (p, q) not in self._moments:
            self._moments[p, q] = super().moment(p, q)
        return self._moments[p, q]


class PointSection(Section):
    """A section of points that carry an area each: reinforced or built-up sections, or your own
    quadrature. The points are moved so that their centroid is the origin.

    Args:
        points: (n, 2), (y, z) in m.
        weights: area of each, m^2.
        outline: corners for pictures and surface stress, m; default the convex hull.

    Raises:
        InputError: areas that are not positive, points that lie on one line.

    Example::

        bars = [(0.04, 0.03), (0.04, -0.03), (-0.04, 0.03), (-0.04, -0.03)]
        fc.PointSection(bars, weights=[1e-4] * 4).I_y  # 6.4e-7 m^4
    """

    def __init__(self, points: ArrayLike, weights: ArrayLike, outline: ArrayLike | None = None):
        points = _points("PointSection: points", points)
        weights = checks.array(weights)
        if weights.shape != (len(points),) or not np.all((weights > 0) & np.isfinite(weights)):
            raise InputError("PointSection: weights must be one positive area for each point.")
        self.centroid = weights @ points / weights.sum()
        self._points, self._weights = points - self.centroid, weights
        if self.principal()[1] <= 1e-12 * self.principal()[0]:
            raise InputError("PointSection: the points must not lie on one line.")
        if outline is None:
            from scipy.spatial import ConvexHull  # slow to import, rarely needed

            self._outline = self._points[ConvexHull(self._points).vertices]
        else:
            self._outline = _points("PointSection: outline", outline) - self.centroid

    @property
    def triangulation(self):
        raise InputError(
            "a PointSection has no shape from which its torsion constant and shear factors follow; "
            "give the beam torsion_constant= and shear=."
        )

    def quadrature(self, degree=4):
        return self._points, self._weights

    @property
    def outline(self):
        return self._outline


def _ring(name: str, values) -> np.ndarray:
    """Corners of a simple polygon, anticlockwise."""
    corners = _points(name, values)
    if len(corners) < 3:
        raise InputError(f"{name}: at least three corners are needed, got {len(corners)}.")
    if crossing(corners):
        raise InputError(f"{name}: edges must not cross or touch each other.")
    y, z = corners.T
    double = np.sum(y * np.roll(z, -1) - np.roll(y, -1) * z)
    if abs(double) <= 1e-12 * np.ptp(corners, axis=0).max() ** 2:
        raise InputError(f"{name} enclose no area.")
    return corners if double > 0 else corners[::-1]


def _points(name: str, values) -> np.ndarray:
    result = checks.array(values)
    if result.ndim != 2 or result.shape[1] != 2 or not np.all(np.isfinite(result)):
        raise InputError(f"{name} must be finite pairs (y, z).")
    return result
