"""Pictures of modes: the displaced bodies over their outlines at rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from ..errors import InputError
from ..fields.surfaces import surfaces
from ..model.system import System
from . import style
from .offscreen import NO_OPENGL, opengl_works, polygons

#: size of a mode's picture in pixels, and pixels per inch
PIXELS, DPI = (1200, 300), 200


class Drawable(Protocol):
    """What is drawn of modes; ``Modes`` provide it.

    Attributes:
        system: of the modes.
    """

    system: System

    @property
    def coordinates(self) -> np.ndarray:
        """Coordinates of the state about which they are, by global number, with fixed ones."""

    @property
    def frequencies(self) -> np.ndarray:
        """Of each mode, Hz."""

    def displacements(self, k: int) -> list[np.ndarray]:
        """Mode ``k`` at the corners of each body's surface, complex, (n, 3) a body."""

    def __len__(self) -> int: ...


def picture(modes: Drawable, path, which: Sequence[int] = (0, 1, 2, 3), amplitude=0.1) -> Path:
    """Draw modes above each other with PyVista.

    Args:
        modes: of a system with bodies.
        path: the PNG file.
        which: numbers of the modes, from 0.
        amplitude: largest displacement drawn, relative to the size of the system.

    Raises:
        InputError: no such mode, no body to draw, no working OpenGL, a file that cannot be written.
    """
    bodies, which = surfaces(modes.system), [k for k in which if k < len(modes)]
    if not bodies or not which:
        raise InputError("there is nothing to draw: no body with a surface, or no such mode.")
    if not opengl_works():
        raise InputError(f"{NO_OPENGL}; Modes.save writes files for ParaView instead.")
    import pyvista

    rest = [s.points(modes.coordinates) for s in bodies]
    size = float(np.ptp(np.concatenate(rest), axis=0).max())
    pictures, titles = [], []
    for k in which:
        plotter = pyvista.Plotter(off_screen=True, window_size=PIXELS, border=False)
        plotter.background_color = "white"
        fields = modes.displacements(k)
        largest = max(float(np.linalg.norm(f.real, axis=1).max()) for f in fields)
        factor = amplitude * size / largest if largest > 0 else 0.0
        for s, points, field in zip(bodies, rest, fields, strict=True):
            faces = polygons(s.faces)
            plotter.add_mesh(
                pyvista.PolyData(points, faces), color="lightgrey", style="wireframe", line_width=1
            )
            moved = pyvista.PolyData(points + factor * field.real, faces)
            moved["displacement"] = np.linalg.norm(field.real, axis=1) / max(largest, 1e-300)
            plotter.add_mesh(
                moved, scalars="displacement", clim=(0, 1), cmap="viridis", show_scalar_bar=False
            )
        view = _face(plotter, np.concatenate(rest), np.concatenate(fields).real)
        titles.append(f"mode {k + 1}: {modes.frequencies[k]:.5g} Hz{view}")
        pictures.append(np.array(plotter.screenshot(return_img=True)))
        plotter.close()
    try:
        style.save(_stacked(pictures, titles), path, format="png")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}.") from None
    return Path(path)


@style.styled
def _stacked(pictures: Sequence[np.ndarray], titles: Sequence[str]):
    """Pictures above each other beside one colour bar."""
    width, height = (n / DPI for n in PIXELS)
    rows = len(pictures)
    figure, axes = style.subplots(
        rows, 1, squeeze=False, figsize=(width + 0.9, max(rows * (height + 0.3), 2.0))
    )
    for ax, picture, title in zip(axes[:, 0], pictures, titles, strict=True):
        ax.imshow(picture, interpolation="antialiased")
        ax.set_axis_off()
        ax.set_title(title, fontsize=9, loc="left")
    colours = ScalarMappable(Normalize(0, 1), "viridis")
    bar = figure.colorbar(colours, ax=axes[:, 0], label="displacement / its largest", aspect=30)
    bar.ax.grid(False)
    return figure


def _face(plotter, points: np.ndarray, motion: np.ndarray) -> str:
    """Set the direction from which a mode is seen best, across its motion and the bodies' length;
    returns it in words."""
    along = np.linalg.svd(points - points.mean(0), full_matrices=False)[2][0]
    along = along * np.sign(along[np.argmax(np.abs(along))])
    across = motion - np.outer(motion @ along, along)
    up = np.linalg.svd(across, full_matrices=False)[2][0]
    if np.linalg.norm(across) < 1e-6 * np.linalg.norm(motion):
        up = np.eye(3)[np.argmin(np.abs(along))]
    up = up - (up @ along) * along
    up *= np.sign(up[np.argmax(np.abs(up))]) / np.linalg.norm(up)
    view = np.cross(along, up)
    plotter.enable_parallel_projection()
    plotter.view_vector(view, viewup=up)
    plotter.camera.zoom(2.4)
    return ", seen along ({:.2f}, {:.2f}, {:.2f})".format(*(0.0 - np.round(view, 2)))
