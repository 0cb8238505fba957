"""Meshes of half a pin and of half a plate around it, finer where they are in contact."""

import numpy as np

from ...meshes.mesh import Mesh
from ...meshes.structured import structured


def half_ring(
    inner: float, outer: float, reach: float, cells: tuple[int, int, int], fine: float
) -> Mesh:
    """The half y >= 0 of a ring of quadratic quadrilaterals; facet sets ``bore``, ``rim`` and, on
    the x axis, ``front`` and ``back``.

    Args:
        inner, outer: radii, m.
        reach: angle from the x axis with smaller cells, rad.
        cells: numbers radially, around within ``reach``, and around beyond it.
        fine: logarithm of the ratio of the radial sizes of cells at the rim and at the bore.
    """
    radial, near, far = cells

    def place(u):
        angle = np.interp(u[:, 1] * (near + far), [0, near, near + far], [0, reach, np.pi])
        r = inner + (outer - inner) * np.expm1(fine * u[:, 0]) / np.expm1(fine)
        return np.column_stack([r * np.cos(angle), r * np.sin(angle), 0 * r])

    names = {(1, 0): "front", (1, 1): "back", (0, 0): "bore", (0, 1): "rim"}
    return structured((radial, near + far), place, degree=2, names=names, source="half ring")
