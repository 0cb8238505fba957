"""Figures of bushes heated by a film: temperature and stress in a plane across their axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from ..fields.solids import KINDS, vtk_order
from . import style
from .layout import MAP
from .units import prefixed, scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..lubrication.film.heated import HeatedState

#: offset of the cut by the length, so that it does not coincide with faces of cells
BESIDE = 1e-6


@style.styled
def section(solid: HeatedState, z: float | None = None) -> Figure:
    """Temperature in a plane across the axis and, of a solid that expands, von Mises stress.

    Args:
        solid: see ``Conducting.heated``.
        z: place of the plane along the axis, m; default: the middle.
    """
    shown: list[Any] = [("temperature", 1.0, "K", solid.temperature, "inferno")]
    if solid.stress is not None:
        scale, unit = prefixed("Pa", solid.von_mises)
        shown.append(("von Mises stress", scale, unit, solid.von_mises, MAP))
    figure, axes = style.subplots(1, len(shown), figsize=(3.9 * len(shown), 3.3), squeeze=False)
    x, triangles, values = _cut(solid, z, [one[3] for one in shown])
    (xy,), length = scaled("m", [x])
    for ax, (words, scale, unit, _, colours), field in zip(axes[0], shown, values, strict=True):
        filled = ax.tricontourf(*xy.T, triangles, scale * field, 24, cmap=colours)
        bar = figure.colorbar(filled, ax=ax, label=style.label(words, unit), pad=0.02, aspect=18)
        bar.locator = MaxNLocator(5)
        bar.update_ticks()
        ax.set(aspect="equal", xlabel=style.label("x", length), ylabel=style.label("y", length))
        ax.grid(False)
    return figure


def _cut(
    solid: HeatedState, z: float | None, fields: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Points (n, 2), m, and triangles of a plane across the axis, and nodal fields at the
    points."""
    import pyvista

    low, high = solid.nodes[:, 2].min(), solid.nodes[:, 2].max()
    at = (low + high) / 2 if z is None else float(np.clip(z, low, high))
    at += BESIDE * (high - low) * (1 if at < high else -1)
    count = solid.cells.shape[1]
    cells = np.insert(solid.cells[:, vtk_order("hexahedron", count)], 0, count, axis=1)
    kinds = np.full(len(cells), KINDS["hexahedron"], np.uint8)
    grid = pyvista.UnstructuredGrid(cells.ravel(), kinds, solid.nodes)
    for k, field in enumerate(fields):
        grid.point_data[str(k)] = field
    plane = grid.slice("z", origin=(0.0, 0.0, at)).triangulate()
    triangles = plane.faces.reshape(-1, 4)[:, 1:]
    return plane.points[:, :2], triangles, [plane.point_data[str(k)] for k in range(len(fields))]
