"""Pictures of modes: the bodies displaced, over their outline at rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from ..errors import InputError
from ..fields.surfaces import surfaces
from ..model.system import System
from .offscreen import NO_OPENGL, opengl_works, polygons


class Drawable(Protocol):
    """Modes as they are drawn; ``Modes`` are.

    Attributes:
        system: whose modes they are.
    """

    system: System

    @property
    def coordinates(self) -> np.ndarray:
        """Coordinates of the state that they are about, by global number, fixed ones too."""

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
    plotter = pyvista.Plotter(
        off_screen=True, shape=(len(which), 1), window_size=(900, 220 * len(which)), border=False
    )
    for row, k in enumerate(which):
        plotter.subplot(row, 0)
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
        view = _look(plotter, np.concatenate(rest), np.concatenate(fields).real)
        text = f"mode {k + 1}: {modes.frequencies[k]:.5g} Hz{view}"
        plotter.add_text(text, font_size=10, color="black")
    plotter.background_color = "white"
    try:
        plotter.screenshot(str(path))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}.") from None
    finally:
        plotter.close()
    return Path(path)


def _look(plotter, points: np.ndarray, motion: np.ndarray) -> str:
    """Look from where a mode is seen best, across its direction and the bodies' length; in
    words."""
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
