"""Figures of films on elastic liners: pressure on the bore, stress in the liner, off-screen."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import films, offscreen, solids, style
from .films import DRAWN, Picture, Saved
from .layout import MAP, Layout
from .offscreen import IN_PARAVIEW, opengl_works
from .units import prefixed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

logger = logging.getLogger(__name__)

#: largest drawn displacement of a bore, by its radius
SHOWN = 0.1
#: pixels
SIZE = (1000, 760)


def figures(results: Saved, p) -> Iterator[tuple[str, Figure]]:
    """Figures of a run of one bearing with a liner: those of its film, the pressure on the bore,
    and von Mises stress in the liner, whole and cut across."""
    yield from films.figures(results, p)
    assert results.folder is not None
    if not opengl_works():
        logger.warning("no pictures of the bore: %s.", IN_PARAVIEW)
        return
    film = films.read(results.folder)
    yield "film_on_bore", on_the_bore(film).figure
    if solids.names(results.folder):
        factor = exaggeration(film)
        away = -_load(film)  # to look at the loaded part of the bore
        whole = solids.Appearance(exaggerate=factor, view=(0.9 * away[0], 0.9 * away[1], 1.2))
        views = {"liner_von_mises": whole, "liner_cut": whole._replace(cut="z")}
        for name, appearance in views.items():
            yield name, solids.drawn(results.folder, "liner", appearance).figure


def exaggeration(film: Picture) -> float:
    """A factor with one digit that makes the displacement of a bore visible."""
    largest = float(np.abs(film.deformation).max())
    return solids.exaggeration(SHOWN * film.radius, largest) if largest else 1.0


def _load(film: Picture) -> np.ndarray:
    """Direction of the load on the journal, (2,)."""
    size = np.hypot(*film.force)
    return -film.force / size if size > 0 else np.array([1.0, 0.0])


def on_the_bore(film: Picture) -> Layout:
    """Pressure on the loaded half of the bore, seen from inside, with the journal's outline (the
    gap is enlarged)."""
    import pyvista

    scale, unit = prefixed("Pa", film.pressure)
    load = _load(film)
    # direction of view: against the load, slightly from the side and from the end
    side = np.array([-load[1], load[0]])
    view = np.array([*(-load + 0.25 * side), 0.55])
    view /= np.linalg.norm(view)
    up = np.array([*side, 0.0])
    right = np.cross(up, view)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(view, right)])

    R = film.radius
    x = np.stack([R * np.cos(film.angle), R * np.sin(film.angle), film.z], 1)
    bore = pyvista.PolyData(x, offscreen.polygons(film.cells))
    bore["shown"] = scale * film.pressure
    behind = bore.clip(normal=(*load, 0.0), origin=(0, 0, 0), invert=False)
    limits = (min(0.0, scale * film.pressure.min()), scale * film.pressure.max())
    if limits[0] == limits[1]:
        limits = (limits[0], limits[0] + 1.0)

    plotter = offscreen.plotter(SIZE)
    once = {"reset_camera": False, "render": False}
    plotter.add_mesh(
        behind, scalars="shown", clim=limits, cmap=MAP, show_scalar_bar=False, lighting=False,
        **once,
    )  # fmt: skip
    _journal(plotter, film, load, view)
    plotter.camera_position = [10 * R * view, (0, 0, 0), axes[1]]
    seen = x @ axes.T
    shape = SIZE[0] / SIZE[1]
    plotter.camera.parallel_scale = 0.54 * max(np.ptp(seen[:, 1]), np.ptp(seen[:, 0]) / shape)
    pixels = offscreen.pixels(plotter)
    plotter.close()
    layout = Layout(1, SIZE, f"pressure [{unit}]", limits, axes)
    ratio = np.hypot(*film.e) / film.clearance
    about = f"gap not to scale, $\\varepsilon$ = {ratio:.3g}"
    layout.show([pixels], [f"loaded half of the bore, journal with its load ({about})"])
    return layout


def _journal(plotter, film: Picture, load: np.ndarray, view: np.ndarray) -> None:
    """Outlines of bore and journal as they are seen along ``view``, the journal's axis and load."""
    import pyvista

    R, once = film.radius, {"reset_camera": False, "render": False}
    ends = (film.z.min(), film.z.max())
    centre = DRAWN * R * film.e / film.clearance
    circle = style.circle().T
    outlines = ((R, np.zeros(2), "black", 4.0), ((1 - DRAWN) * R, centre, "#35506b", 4.0))
    for z in ends:
        for radius, at, color, width in outlines:
            ring = np.column_stack([at + radius * circle, np.full(len(circle), z)])
            plotter.add_mesh(pyvista.lines_from_points(ring), color=color, line_width=width, **once)
    edge = np.array([-view[1], view[0]]) / np.hypot(*view[:2])  # outline of the journal's barrel
    for sign in (-1, 1):
        at = centre + sign * (1 - DRAWN) * R * edge
        line = pyvista.Line((*at, ends[0]), (*at, ends[1]))
        plotter.add_mesh(line, color="#35506b", line_width=4.0, **once)
    axis = np.array([[*centre, ends[0]], [*centre, ends[1]]])
    plotter.add_mesh(pyvista.lines_from_points(axis), color="#35506b", line_width=3.0, **once)
    plotter.add_mesh(
        pyvista.Arrow(
            start=(*centre, 0.0), direction=(*load, 0.0), scale=0.62 * R, tip_radius=0.07,
            shaft_radius=0.022, tip_length=0.22,
        ), color="#d55e00", **once,
    )  # fmt: skip


def save(run, target) -> Path:
    """The picture of the pressure on the bore of a run.

    Args:
        run: folder of the run.
        target: the PNG file.
    """
    layout = on_the_bore(films.read(Path(run)))
    layout.save(Path(target))
    layout.close()
    return Path(target)
