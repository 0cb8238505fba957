"""Centres of bores, journals, sockets and balls that are formed by facets of solids."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...meshes import cells as reference
from .facets import FacetSet

#: largest range of the distances from the centre, relative to the radius, for round facets
ROUND = 1e-3
#: largest mean square of the normals' components along the axis of a cylinder
ACROSS = 1e-6


class Round(NamedTuple):
    """A cylinder or a sphere through facets.

    Attributes:
        center: m; for a cylinder on its axis, in the middle of the facets.
        radius: m.
        axis: unit vector of a cylinder, ``None`` for a sphere.
    """

    center: np.ndarray
    radius: float
    axis: np.ndarray | None


def fitted(facets: FacetSet) -> Round | None:
    """The cylinder or sphere on which facets lie; ``None`` if they lie on neither.

    The axis is the direction across all normals; centre and radius are those of the circle (sphere)
    through the nodes, ``2 center . x + radius^2 - center^2 = x^2`` by least squares.
    """
    degree = 2 if facets.solid.mesh.degree > 1 else 0  # flat facets: their middles
    area, _ = facets.quadrature(degree)
    rule = reference.quadrature(reference.FACET[facets.solid.mesh.cell], degree)[0]
    _, normal = facets.normals(rule)
    n = (normal / np.linalg.norm(normal, axis=2, keepdims=True)).reshape(-1, 3)
    w, middle = area.ravel() / area.sum(), facets.center
    spread, axes = np.linalg.eigh(np.einsum("p,px,py->xy", w, n, n))
    if spread[1] < ACROSS:  # a plane
        return None
    axis = axes[:, 0] if spread[0] < ACROSS else None
    base = axes[:, 1:] if axis is not None else axes
    nodes = (facets.geometry.reshape(-1, 3) - middle) @ base  # near the facets: nothing cancels
    rows = np.column_stack([2 * nodes, np.ones(len(nodes))])
    found = np.linalg.lstsq(rows, (nodes**2).sum(axis=1), rcond=None)[0]
    radii = np.linalg.norm(nodes - found[:-1], axis=1)
    radius = float(radii.mean())
    if np.ptp(radii) > ROUND * radius:
        return None
    if axis is not None:
        axis = axis * np.sign(axis[np.abs(axis).argmax()])
    return Round(middle + base @ found[:-1], radius, axis)
