"""Pictures and animations of solids: stress on the deformed body, off-screen with PyVista."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..io import folder
from ..io.vtk import entries
from .fields import opengl_works


class Quantity(NamedTuple):
    """What a picture may show: array of the file, component, title with unit, factor to it."""

    array: str
    component: int | None
    title: str
    factor: float


QUANTITIES = {
    "von_mises": Quantity("von_mises", None, "von Mises stress, MPa", 1e-6),
    "principal": Quantity("principal_stress", 0, "largest principal stress, MPa", 1e-6),
    "displacement": Quantity("displacement", None, "displacement, mm", 1e3),
    "velocity": Quantity("velocity", None, "velocity, m/s", 1.0),
} | {
    f"stress.{a}{b}": Quantity("stress", 3 * i + j, f"stress {a}{b}, MPa", 1e-6)
    for i, a in enumerate("xyz")
    for j, b in enumerate("xyz")
}  # fmt: skip


class Look(NamedTuple):
    """How a solid is drawn.

    Attributes:
        quantity: one of ``QUANTITIES``.
        cut: None, or ``"x"``, ``"y"``, ``"z"``: only the half behind a plane through the middle.
        exaggerate: factor on displacements.
        edges: draw the cells.
        size: of the picture in pixels.
        limits: of the colours, in the unit of the title; default: those of what is shown.
        view: a direction to look from, (3,).
    """

    quantity: str = "von_mises"
    cut: str | None = None
    exaggerate: float = 1.0
    edges: bool = True
    size: tuple[int, int] = (1200, 900)
    limits: tuple[float, float] | None = None
    view: tuple[float, float, float] = (1.0, 0.8, 1.6)


def series(run: Path, solid: str) -> list[tuple[float, Path]]:
    """Times and files of a solid's fields.

    Raises:
        InputError: none were written.
    """
    fields = Path(run) / folder.FIELDS
    found = [(t, fields / name) for t, name in entries(fields / f"{solid}.pvd")]
    if not found:
        known = sorted(p.stem for p in fields.glob("*.pvd") if p.stem != "fields")
        raise InputError(
            f"{run} holds no fields of a solid {solid!r} (there are: {', '.join(known) or 'none'}); "
            "run it with output.fields_every, e.g. 0.01 (s)."
        )
    return found


def picture(run, solid: str, target, look: Look | None = None, at: float | None = None) -> Path:
    """A picture of a solid at one time.

    Args:
        run: folder of the run.
        solid: its name.
        target: the PNG file.
        look: how it is drawn.
        at: time in s, the nearest saved one is taken; default: the last.

    Raises:
        InputError: no fields, no working OpenGL, an unknown quantity.
    """
    found = series(Path(run), solid)
    times = np.array([t for t, _ in found])
    k = -1 if at is None else int(np.abs(times - at).argmin())
    _draw([found[k]], look or Look(), Path(target))
    return Path(target)


def animation(run, solid: str, target, look: Look | None = None, seconds: float = 6.0) -> Path:
    """An animated GIF of all saved times, with the same colours throughout.

    Args:
        run, solid, look: see ``picture``.
        target: the GIF file.
        seconds: length of the animation.
    """
    _draw(series(Path(run), solid), look or Look(size=(800, 600)), Path(target), seconds)
    return Path(target)


def _draw(found, look: Look, target: Path, seconds: float | None = None) -> None:
    quantity = QUANTITIES.get(look.quantity)
    if quantity is None:
        raise InputError(
            f"there is no quantity {look.quantity!r}; choose from {', '.join(QUANTITIES)}."
        )
    if not opengl_works():
        raise InputError(
            "OpenGL does not work here (Debian: apt-get install libgl1 libegl1 libgl1-mesa-dri); "
            "open the .pvd files of the run's fields folder in ParaView instead."
        )
    import pyvista

    surfaces, outlines = zip(
        *(_surface(pyvista.read(path), quantity, look) for _, path in found), strict=True
    )
    values = np.concatenate([s["shown"] for s in surfaces])
    limits = look.limits or (values.min(), values.max())
    bounds = np.array([s.bounds for s in surfaces]).reshape(-1, 3, 2)
    low, high = bounds[..., 0].min(axis=0), bounds[..., 1].max(axis=0)
    middle, reach = (low + high) / 2, 2.2 * np.linalg.norm(high - low)
    view = np.array(look.view) / np.linalg.norm(look.view)
    plotter = pyvista.Plotter(off_screen=True, window_size=look.size)
    plotter.set_background("white")
    pictures = []
    for (t, _), surface, outline in zip(found, surfaces, outlines, strict=True):
        plotter.clear()
        plotter.enable_lightkit()
        plotter.add_mesh(
            surface, scalars="shown", clim=limits, cmap="viridis", ambient=0.4, diffuse=0.6,
            scalar_bar_args={
                "title": quantity.title, "color": "black", "fmt": "%.3g", "vertical": True,
                "position_x": 0.86, "position_y": 0.2, "height": 0.6, "width": 0.06,
                "title_font_size": 20, "label_font_size": 18,
            },
        )  # fmt: skip
        if look.edges:
            # straight edges of curved cells lie a little inside: draw them nearer to the eye
            outline.points = outline.points + 0.004 * reach * view
            plotter.add_mesh(outline, color="black", line_width=1.0)
        text = f"t = {t:.6g} s" + (
            f", displacement x {look.exaggerate:g}" if look.exaggerate != 1 else ""
        )
        plotter.add_text(text, font_size=11, color="black")
        plotter.add_axes(color="black")
        plotter.camera_position = [middle + reach * view, middle, (0, 1, 0)]
        plotter.camera.parallel_projection = True
        plotter.camera.parallel_scale = 0.55 * np.linalg.norm(high - low)
        pictures.append(plotter.screenshot(None, return_img=True))
    plotter.close()
    _save(pictures, target, seconds)


def _surface(grid, quantity: Quantity, look: Look):
    """Surface of the (cut) body with the array ``shown`` at its points, and its cells' edges."""
    values = grid[quantity.array] * quantity.factor
    if quantity.component is not None:
        values = values[:, quantity.component]
    elif values.ndim == 2:
        values = np.linalg.norm(values, axis=1)
    grid["shown"] = values
    grid.points = grid.points + (look.exaggerate - 1) * grid["displacement"]
    plain = grid.extract_surface(algorithm="dataset_surface", nonlinear_subdivision=0)
    edges = plain.extract_all_edges()
    if look.cut:
        where = {"normal": look.cut, "origin": grid.center, "invert": True}
        grid, edges = grid.clip(**where), edges.clip(**where)
    return grid.extract_surface(algorithm="dataset_surface", nonlinear_subdivision=2), edges


def _save(pictures: list[np.ndarray], target: Path, seconds: float | None) -> None:
    from PIL import Image

    images = [Image.fromarray(p) for p in pictures]
    target.parent.mkdir(parents=True, exist_ok=True)
    if seconds is None:
        images[0].save(target)
    else:
        pause = max(20, int(1000 * seconds / len(images)))
        images[0].save(target, save_all=True, append_images=images[1:], duration=pause, loop=0)
