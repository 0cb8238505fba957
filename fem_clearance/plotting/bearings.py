"""Pressure of oil films on their bores, with von Mises stress in the liners, at one instant of a
run: Fig. 20 of Tian et al. (2015)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..io.vtk import read_vtu
from . import offscreen, solids, style
from .films import saved
from .layout import MAP
from .offscreen import IN_PARAVIEW, opengl_works
from .solid_series import QUANTITIES, Body
from .units import prefixed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: pixels of one picture; direction of view, in the bearing's axes; up in the picture
SIZE, VIEW, UP = (560, 560), np.array([0.55, 0.42, 1.0]), np.array([0.0, 1.0, 0.0])
#: height of the largest pressure above the bore, by the radius
RAISED = 0.55


@style.styled
def figure(run, joints: Sequence[str], at: float | None = None, titles=None) -> Figure:
    """Pressure on the bores of some joints, and below it the stress in their liners, if all have
    one.

    The pressure is drawn as a surface outside the bore. Each picture has its own colour scale.

    Args:
        run: folder of the run.
        joints: names of joints whose films were saved.
        at: time, s, of which the nearest saved one is taken; default: the last.
        titles: of the columns; default the names.

    Raises:
        InputError: no films saved, no working OpenGL.
    """
    if not opengl_works():
        raise InputError(IN_PARAVIEW + ".")
    files = [saved(run, name, at) for name in joints]
    liners = [f"{name}.liner" for name in joints]
    lined = set(liners) <= set(solids.names(run))
    rows = 2 if lined else 1
    drawn, axes = style.subplots(
        rows, len(joints), figsize=(2.35 * len(joints), 2.75 * rows), squeeze=False
    )
    for ax, (_, path), title in zip(axes[0], files, titles or joints, strict=True):
        ax.set_title(title)
        pixels, top = _pressure(path)
        factor, unit = prefixed("Pa", top)
        _show(drawn, ax, pixels, factor * top, style.label("pressure", unit))
    if lined:
        for ax, name, (t, _) in zip(axes[1], liners, files, strict=True):
            body = Body(run, name, QUANTITIES["von_mises"], coarse=True)
            k = int(np.argmin([abs(when - t) for when, _ in body.series]))
            x, values = body.at(k)
            surface, edges = body.surface(x, values)
            picture = _drawn([(surface, {"scalars": "shown"}), (edges, {"color": "black"})])
            title, (_, top) = body.quantity.scale(0.0, float(values.max()))
            _show(drawn, ax, picture, top, title)
    return drawn


def _pressure(path: Path) -> tuple[np.ndarray, float]:
    """Picture of the pressure of one film, and its largest value, Pa."""
    import pyvista

    data = read_vtu(path)
    p, x = data["pressure"], data["points"]
    outward = x * (1.0, 1.0, 0.0)
    top = p.max()
    raised = x + (RAISED * p / top if top > 0 else p)[:, None] * outward
    surface = pyvista.PolyData(raised, offscreen.polygons(data["connectivity"].reshape(-1, 4)))
    surface["shown"] = p
    # the bore
    radius = np.hypot(*outward.T[:2]).max()
    circle = style.circle(radius)
    ends = (x[:, 2].min(), x[:, 2].max())
    rings = [np.column_stack([*circle, np.full(circle.shape[1], z)]) for z in ends]
    lines = [(pyvista.lines_from_points(r), {"color": "black", "line_width": 2.0}) for r in rings]
    edges = surface.extract_all_edges()
    thin = (edges, {"color": "black", "line_width": 0.5, "opacity": 0.35})
    return _drawn([(surface, {"scalars": "shown"}), thin, *lines]), float(top)


def _drawn(meshes: list[tuple[Any, dict[str, Any]]]) -> np.ndarray:
    """Pixels of meshes with the options they are added with."""
    plotter = offscreen.plotter(SIZE)
    for mesh, options in meshes:
        if "scalars" in options:
            top = max(float(mesh[options["scalars"]].max()), 1e-12)
            options = options | {"clim": (0.0, top), "cmap": MAP, "show_scalar_bar": False}
            options |= {"ambient": 0.55, "diffuse": 0.55}
        plotter.add_mesh(mesh, **options)
    reach = np.abs(np.array(meshes[0][0].bounds)).max()
    view = VIEW / np.linalg.norm(VIEW)
    plotter.camera_position = [10 * reach * view, (0, 0, 0), UP]
    plotter.camera.parallel_scale = 1.12 * reach
    pixels = offscreen.pixels(plotter)
    plotter.close()
    return pixels


def _show(drawn, ax, pixels: np.ndarray, top: float, label: str) -> None:
    """Show a picture with its colour bar below."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    ax.imshow(pixels)
    ax.set_axis_off()
    colors = ScalarMappable(Normalize(0.0, top if top > 0 else 1.0), MAP)
    bar = drawn.colorbar(colors, ax=ax, orientation="horizontal", fraction=0.05, pad=0.02)
    bar.set_label(label)
    bar.ax.locator_params(nbins=4)
